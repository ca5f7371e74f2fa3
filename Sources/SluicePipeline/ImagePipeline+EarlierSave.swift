internal import SluiceCore

/// Answers from files that were saved before.
extension ImagePipeline {
    /// Ends a task that got its files from an earlier save.
    func answer(_ id: TaskID, by copies: DestinationCopies) {
        guard let task = scheduler.task(id), task.phase == .answering else { return }
        let file = scheduler.firstReceipt(of: id).flatMap { copies.granted[$0.id] } ?? copies.source.path
        counts.succeeded += 1
        // Of what the server said nothing is left but that it was a success.
        var head = ResponseHead.Content(status: 200, finalURL: task.key.url)
        head.expected = copies.source.size
        let answer = ResponseHead(head)
        emit(.tasks) { .taskResponse(id, answer, source: .disk) }
        var end = TaskEnd(task: id, url: task.key.url, outcome: .success, receipts: Int(task.receiptCount))
        (end.source, end.status, end.bytes, end.file) = (.disk, head.status, copies.source.size, file)
        let image = image(at: CacheKey(key: task.key.text), of: task.key)
        end.image = image?.info
        deliver(Delivery(end, image: image, files: copies.granted))
    }

    /// The earlier file is gone meanwhile, or can't be copied: the network has it.
    func fetchInstead(_ id: TaskID) {
        guard let task = scheduler.task(id), task.phase == .answering else { return }
        scheduler.fetchAfterAll(id)
        changed(id, .queued, reason: .note("the earlier file could not be copied"))
    }
}
