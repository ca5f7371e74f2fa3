/// A key on the failed list.
public struct FailedRecord: Equatable, Sendable {
    /// The merge key as text.
    public var key: String
    public var url: String
    public var error: DownloadError
    /// Seconds since 1970.
    public var until: Int
    public init(key: String, url: String, error: DownloadError, until: Int) {
        (self.key, self.url, self.error, self.until) = (key, url, error, until)
    }
}
