public import SluiceCore

extension ImagePipeline {
    /// Submits one request and waits for its outcome.
    ///
    /// Where the task that waits is cancelled, so is the request, as by ``cancel(_:)``; the outcome says so then. It comes
    /// in any case, so nothing is thrown: from a pipeline that has ended as a cancelled one.
    ///
    /// - Parameter request: What is asked for.
    /// - Returns: What it came to.
    public nonisolated func outcome(of request: DownloadRequest) async -> RequestOutcome {
        let sent = Locked<RequestHandle?>(nil)
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let handle = submit(request) { continuation.resume(returning: $0) }
                sent.withLock { $0 = handle }
                // Whoever cancelled before found no handle.
                if Task.isCancelled { cancel(handle) }
            }
        } onCancel: {
            if let handle = sent.withLock({ $0 }) { cancel(handle) }
        }
    }
}
