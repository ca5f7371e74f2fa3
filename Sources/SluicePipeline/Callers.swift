internal import SluiceCore

/// Who waits for an answer, beside the listeners.
struct Callers {
    /// Of requests that are submitted and have no outcome yet.
    var handles: [ReceiptID: RequestHandle] = [:]
    /// Those who wait until no task is live.
    var idleReplies: [@Sendable (PipelineReply) -> Void] = []
    /// The request that is being submitted, where somebody waits to hear what became of it.
    var tracked: TrackedSubmission?
}

/// A request whose event is its answer.
struct TrackedSubmission {
    var answer: Submission?
}
