/// A key on the failed list.
public struct FailedRecord: Equatable, Sendable {
    /// The merge key as text.
    public var key: String
    /// What was asked for; without credentials.
    public var url: String
    /// Why it failed for good.
    public var error: DownloadError
    /// Seconds since 1970.
    public var until: Int
    /// What may have caused it, as ``FailureCircumstances/mark(of:)`` says; `nil` in what an earlier version wrote.
    public var circumstances: String?
    /// A failure, as the failed list has it.
    public init(key: String, url: String, error: DownloadError, until: Int, circumstances: String? = nil) {
        (self.key, self.url, self.error, self.until) = (key, url, error, until)
        self.circumstances = circumstances
    }
}
