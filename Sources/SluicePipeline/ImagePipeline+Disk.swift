internal import SluiceCore

extension ImagePipeline {
    /// The pool, or the loop, copied an earlier save for an answering task; or could not.
    func answered(_ id: TaskID, _ result: Result<SavedFile, DownloadError>) {
        guard let task = scheduler.task(id), task.phase == .answering else { return }
        guard case .success(let file) = result else {
            // The earlier file is gone meanwhile: the network has it.
            scheduler.fetchAfterAll(id)
            changed(id, .queued, reason: .note("the earlier file could not be copied"))
            return
        }
        counts.succeeded += 1
        // Of what the server said nothing is left but that it was a success.
        var head = ResponseHead(status: 200, finalURL: task.key.url)
        head.expected = file.size
        let answer = head
        emit(.tasks) { .taskResponse(id, answer, source: .disk) }
        var end = TaskEnd(task: id, url: task.key.url, outcome: .success, receipts: Int(task.receiptCount))
        (end.source, end.status, end.bytes, end.file) = (.disk, head.status, file.size, file.path)
        let image = cache.peek(CacheKey(key: task.key.text))
        end.image = image?.info
        deliver(end, image: image)
    }
}
