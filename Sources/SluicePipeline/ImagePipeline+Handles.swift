internal import SluiceCore

/// Requests whose outcome somebody waits for.
extension ImagePipeline {
    /// Takes such a request, in its order.
    func accept(_ request: DownloadRequest, _ handle: RequestHandle) {
        guard isOpen else { return handle.finish(.cancelled) }
        backlog.append(.tracked(request, handle))
    }

    /// Takes a request back, wherever it is; nothing happens if it has its outcome.
    func withdraw(_ handle: RequestHandle) {
        guard isOpen, handle.owner == ObjectIdentifier(self), !handle.isOver else { return }
        snapshots.isDirty = true
        snapshots.mustPublish = true
        if let receipt = handle.receipt {
            _ = cancel(receipt)
        } else {
            // It came behind its request, which therefore waits for its turn.
            backlog.withdraw(handle)
            handle.finish(.cancelled)
        }
    }

    /// Tells who waits that memory answered.
    func tell(_ handle: RequestHandle?, _ image: DecodedImage, file: String?) {
        guard let handle else { return }
        var news = RequestOutcome(outcome: .success, image: image, file: file, error: nil)
        news.source = .memory
        handle.finish(news)
    }
}
