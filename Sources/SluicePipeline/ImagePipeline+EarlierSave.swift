internal import SluiceCore

/// Answers from files that were saved before.
extension ImagePipeline {
    /// Ends a task that got its files from an earlier save.
    func answer(_ id: TaskID, by copies: DestinationCopies) {
        guard let task = scheduler.task(id), task.phase == .answering else { return }
        let image = image(at: CacheKey(key: task.key.text), of: task.key)
        var thumbnails = copies.thumbnails
        for size in scheduler.receipts(of: id).compactMap(\.options.thumbnail) where thumbnails[size] == nil {
            thumbnails[size] = self.image(at: CacheKey(key: task.key.text, id: size.id), of: task.key)
        }
        // Who joined may want it in a size that is not in memory.
        if let image, let job = thumbnailJob(image, for: id, beside: thumbnails) {
            let serial = copies.serial
            pool.add(task.priority) { [self] in
                let made = job.run()
                post { $0.scaledBeside.append((id, serial, made)) }
            }
            return
        }
        if let image, !copies.thumbnails.isEmpty { store(image, copies.thumbnails, of: task, isNews: false) }
        let file = scheduler.firstReceipt(of: id).flatMap { copies.granted[$0.id] } ?? copies.source.path
        counts.succeeded += 1
        // Of what the server said nothing is left but that it was a success.
        var head = ResponseHead.Content(status: 200, finalURL: url(of: task))
        head.expected = copies.source.size
        let answer = ResponseHead(head)
        emit(.tasks) { .taskResponse(id, answer, source: .disk) }
        var end = TaskEnd(task: id, url: url(of: task), outcome: .success, receipts: Int(task.receiptCount))
        (end.source, end.status, end.bytes, end.file) = (.disk, head.status, copies.source.size, file)
        end.image = image?.info
        let (receipt, target) = (scheduler.firstReceipt(of: id), notebook.target(of: id))
        deliver(Delivery(end, image: image, thumbnails: thumbnails, files: copies.granted))
        guard let options = receipt?.options, (options.policy ?? settings.policy) == .refresh else { return }
        askBehind(url(of: task), target.user, options)
    }

    /// The earlier file is gone meanwhile, or can't be copied: the network has it, where it may be asked.
    func fetchInstead(_ id: TaskID) {
        guard let task = scheduler.task(id), task.phase == .answering else { return }
        if mayNotFetch(id) {
            let error = DownloadError(
                .notCached,
                "the earlier file could not be copied, and the network is not asked"
            )
            var end = noteFailure(error, of: task)
            end.source = .disk
            return deliver(Delivery(end))
        }
        scheduler.fetchAfterAll(id)
        changed(id, .queued, reason: .note("the earlier file could not be copied"))
    }
}
