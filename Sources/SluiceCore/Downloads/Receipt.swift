/// One request's claim on a task: it can be cancelled alone and gets exactly one outcome.
public struct Receipt: Sendable {
    public let id: ReceiptID
    public let options: RequestOptions
    public let source: DownloadRequest.Source
    public let tag: String?
    public let submitted: Timestamp

    var isPrefetch: Bool {
        if case .prefetch = source { true } else { false }
    }
}
