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
    /// A failure, as the failed list has it.
    public init(key: String, url: String, error: DownloadError, until: Int) {
        (self.key, self.url, self.error, self.until) = (key, url, error, until)
    }
}
