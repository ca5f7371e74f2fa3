internal import SluiceCore

/// The memory cache: what goes in and out of it, and what it tells of that.
extension ImagePipeline {
    /// The image of a download, unless the place is that of another's.
    func image(at place: CacheKey, of key: MergeKey) -> DecodedImage? {
        inCache { $0.peek(place) }.flatMap { $0.owner == key ? $0.image : nil }
    }

    /// Puts into the memory cache what was asked for: the whole image, thumbnails of it, or both.
    ///
    /// - Parameters:
    ///   - image: The whole one.
    ///   - thumbnails: Made of it.
    ///   - task: Whose image it is.
    ///   - isNews: Whether they take the place of what is there; if not, that is the same.
    ///   - isFromNetwork: Whether the origin sent the body just now, and it is no stored one.
    func store(
        _ image: DecodedImage,
        _ thumbnails: [ThumbnailSize: DecodedImage],
        of task: DownloadTask,
        isNews: Bool,
        isFromNetwork: Bool = false
    ) {
        let receipts = scheduler.receipts(of: task.id)
        var images: [(key: CacheKey, image: DecodedImage)] = []
        if task.isDetached || receipts.contains(where: { $0.options.thumbnail == nil }) {
            images.append((CacheKey(key: task.key.text), image))
        }
        for (size, thumbnail) in thumbnails.sorted(by: { $0.key.id < $1.key.id }) {
            images.append((CacheKey(key: task.key.text, id: size.id), thumbnail))
        }
        let asksForNews = receipts.contains { receipt in
            let policy = receipt.options.policy ?? settings.policy
            return !policy.usesMemory || isFromNetwork && policy == .refresh
        }
        if isNews, cache.count > 0, asksForNews || settings.memoryFreshOnly {
            // Who asked for a newer body wants no other size of the older one, nor is that fresh.
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

    /// What images may take before a program without a screen, which is over soon, looks out for pressure, in bytes.
    private static let unwatched = 67_108_864

    /// Watches for pressure once there is something to purge: to end a watch takes the kernel ten milliseconds and more.
    func watchMemory() {
        guard configuration.watchesMemory, case .notYet = memoryWatch, isOpen,
            cache.usage > (configuration.isDashboard ? 0 : Self.unwatched)
        else { return }
        memoryWatch = .tried(MemoryPressure { [weak self] in self?.send(.pressure) })
    }

    func report(_ purge: CachePurge?) {
        guard let purge else { return }
        snapshots.mustPublish = true
        emit(.cache) { .cachePurged(purge) }
    }

    func removeImages(_ removal: ImageRemoval) {
        let changes = cache.removeAll(ofURLs: Set(removal.urls))
        for change in changes { report(change) }
        queries.removal = ImageRemoval.Answer(
            serial: removal.serial,
            removed: Set(changes.map(\.key.url)).count,
            freed: changes.reduce(0) { $0 + $1.cost }
        )
    }

    func report(_ change: CacheChange) {
        snapshots.isDirty = true
        emit(.cache) { .cacheChanged(change) }
    }
}
