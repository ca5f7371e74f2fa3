public import SluiceCore

/// What a request that the library submitted came to.
public struct RequestOutcome: Sendable {
    /// Of this request alone: others of its task may have another one.
    public let outcome: Outcome
    /// The same instance for all receipts of a task, and for hits, but for those that want another thumbnail.
    ///
    /// `nil` also for a success where nothing was decoded: because the body is no image that Sluice decodes, or by the
    /// setting `decode`, whose `auto` decodes what is saved only for a dashboard, and where only images are accepted.
    /// `always`, or a request that saves nothing, brings the image.
    public let image: DecodedImage?
    /// Absolute path.
    public let file: String?
    /// Why there is no success; `nil` for one.
    public let error: DownloadError?
    /// Where the answer came from; `nil` without a success.
    public internal(set) var source: AnswerSource?
    /// The HTTP status that the task ended with; `nil` without an answer, and where memory answered.
    public internal(set) var status: Int?
    /// The request's claim, as events name it; `nil` if it was refused, memory answered, or its turn never came.
    public internal(set) var receipt: ReceiptID?

    static let cancelled = RequestOutcome(outcome: .cancelled, image: nil, file: nil, error: .cancelled)
}
