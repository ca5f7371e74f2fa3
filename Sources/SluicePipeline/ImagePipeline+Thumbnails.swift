internal import SluiceCore

/// Images scaled down for those who asked for that; the download and the decoding are shared.
extension ImagePipeline {
    /// Makes the thumbnails that receipts want and that are not there, on the pool; then the task succeeds.
    func scaleOrSucceed(_ transfer: TransferID, _ image: DecodedImage) throws(DownloadError) {
        guard let active = transfers[transfer], let task = scheduler.task(active.task) else { return }
        guard let job = thumbnailJob(image, for: task.id, beside: active.thumbnails) else {
            try succeed(transfer, image: image)
            return
        }
        active.step = .decoding
        active.beginDecoding(now)
        pool.add(task.priority) { [self] in
            let made = job.run()
            post(.scaled(transfer, image, made))
        }
    }

    /// The same for an answer from disk.
    func scaleOrFinish(_ answer: DiskAnswer, _ image: DecodedImage) {
        guard let job = thumbnailJob(image, for: answer.task, beside: answer.thumbnails) else {
            return finish(answer, image: image)
        }
        let (task, serial) = (answer.task, answer.serial)
        pool.add(scheduler.task(task)?.priority ?? .normal) { [self] in
            let news = StoredBodyNews(task: task, serial: serial, result: .scaled(image, job.run()))
            post(.storedBody(news))
        }
    }

    /// What is still to be made of an image; `nil` if nothing is.
    ///
    /// Asked anew each time: somebody may have joined while others were made.
    func thumbnailJob(
        _ image: DecodedImage,
        for task: TaskID,
        beside made: [ThumbnailSize: DecodedImage]
    ) -> ThumbnailJob? {
        let wanted = Set(scheduler.receipts(of: task).compactMap(\.options.thumbnail))
        let missing = wanted.filter { made[$0] == nil }
        return missing.isEmpty ? nil : ThumbnailJob(image: image, sizes: missing)
    }

    func scaled(_ transfer: TransferID, _ image: DecodedImage, _ thumbnails: [ThumbnailSize: DecodedImage]) {
        guard let active = transfers[transfer], active.step == .decoding else { return }
        active.endDecoding(now)
        active.thumbnails.merge(thumbnails) { $1 }
        attempt(transfer) { () throws(DownloadError) in try scaleOrSucceed(transfer, image) }
    }

    /// Puts into the memory cache what was asked for: the whole image, thumbnails of it, or both.
    ///
    /// - Parameters:
    ///   - image: The whole one.
    ///   - thumbnails: Made of it.
    ///   - task: Whose image it is.
    ///   - isNews: Whether they take the place of what is there; if not, that is the same.
    func store(
        _ image: DecodedImage,
        _ thumbnails: [ThumbnailSize: DecodedImage],
        of task: DownloadTask,
        isNews: Bool
    ) {
        let receipts = scheduler.receipts(of: task.id)
        var images: [(key: CacheKey, image: DecodedImage)] = []
        if task.isDetached || receipts.contains(where: { $0.options.thumbnail == nil }) {
            images.append((CacheKey(key: task.key.text), image))
        }
        for (size, thumbnail) in thumbnails.sorted(by: { $0.key.id < $1.key.id }) {
            images.append((CacheKey(key: task.key.text, id: size.id), thumbnail))
        }
        if isNews, cache.count > 0, receipts.contains(where: { !($0.options.policy ?? settings.policy).usesMemory }) {
            // Who asked for a newer body wants no other size of the older one.
            let others = cache.removeAll(task.key.text, except: Set(images.map(\.key)), why: .newerBody(.came))
            for change in others { report(change) }
        }
        // What is only looked at takes the room that is there, and pushes out nothing that somebody asked for.
        let isOnlySeen = !task.isDetached && receipts.allSatisfy(\.source.isView)
        for (place, image) in images where isNews || self.image(at: place, of: task.key) == nil {
            let fits = cache.capacity == 0 || image.cost <= cache.capacity - cache.usage
            if isOnlySeen, !fits, self.image(at: place, of: task.key) == nil { continue }
            let isKept = store(image, as: place, of: task.key)
            guard isNews, !isKept else { continue }
            // What the newer one does not replace would go on answering.
            if let change = cache.remove(place, why: .newerBody(.notKept)) { report(change) }
        }
    }

    /// Lets go of the images of an older body.
    func dropImages(of key: MergeKey) {
        if cache.count == 0 { return }
        for change in cache.removeAll(key.text, why: .newerBody(.notDecoded)) { report(change) }
    }

    /// - Returns: Whether it is in the cache now.
    private func store(_ image: DecodedImage, as place: CacheKey, of key: MergeKey) -> Bool {
        if let admits = configuration.admits, !admits(place, image) {
            report(cache.refusal(of: place, cost: image.cost))
            return false
        }
        let addition = cache.add(OwnedImage(image: image, owner: key), for: place, cost: image.cost, now: now)
        watchMemory()
        report(addition.change)
        report(addition.purge)
        return addition.change.verb != .refused
    }
}
