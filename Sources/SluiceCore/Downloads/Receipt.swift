/// One request's claim on a task: it can be cancelled alone and gets exactly one outcome.
public struct Receipt: Sendable {
    /// Never used twice in a session.
    public let id: ReceiptID
    /// What this request wants of the task, a file and a priority among it.
    public let options: RequestOptions
    /// Where the request came from.
    public let source: DownloadRequest.Source
    /// Whether only caches may answer it, by its own policy or by the setting of the moment in which it was taken.
    public internal(set) var forbidsNetwork = false
    /// Comes back in the receipt's events; at most 200 bytes.
    public let tag: String?
    /// When the request was taken, which may be long after its task.
    public let submitted: Timestamp

    var isPrefetch: Bool {
        if case .prefetch = source { true } else { false }
    }
}
