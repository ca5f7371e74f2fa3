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
}
