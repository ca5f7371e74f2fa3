public import SluiceCore

/// What a request that the library submitted came to.
public struct RequestOutcome: Sendable {
    /// Of this request alone: others of its task may have another one.
    public let outcome: Outcome
    /// The same instance for all receipts of a task, and for hits.
    public let image: DecodedImage?
    /// Absolute path.
    public let file: String?
    /// Why there is no success; `nil` for one.
    public let error: DownloadError?

    static let cancelled = RequestOutcome(outcome: .cancelled, image: nil, file: nil, error: .cancelled)
}
