/// A file that holds a complete body, as it was when it was saved.
public struct SavedFile: Hashable, Sendable {
    /// Absolute.
    public let path: String
    /// In bytes.
    public let size: Int
    /// Nanoseconds since 1970.
    public let modified: Int64
    /// A file as the system describes it right after it was saved.
    public init(path: String, size: Int, modified: Int64) {
        (self.path, self.size, self.modified) = (path, size, modified)
    }
}
