/// A file that holds a complete body, as it was when it was saved.
public struct SavedFile: Hashable, Sendable {
    /// Absolute.
    public let path: String
    /// In bytes.
    public let size: Int
    /// Nanoseconds since 1970.
    public let modified: Int64
    /// What tells it from another file of the same path, size and time; `nil` where it is not known, as after a restart.
    public let identity: FileIdentity?

    /// A file as the system describes it right after it was saved.
    public init(path: String, size: Int, modified: Int64, identity: FileIdentity? = nil) {
        (self.path, self.size, self.modified, self.identity) = (path, size, modified, identity)
    }

    public static func == (left: SavedFile, right: SavedFile) -> Bool {
        left.isAt(right.path) && left.size == right.size && left.modified == right.modified
            && left.identity == right.identity
    }

    /// Whether it has a path, which file systems compare by its bytes.
    public func isAt(_ path: String) -> Bool { self.path.hasSameBytes(as: path) }

    /// Whether nothing that is known of both tells one from the other.
    public func isSame(as other: SavedFile) -> Bool {
        isAt(other.path) && size == other.size && modified == other.modified
            && (identity == other.identity || identity == nil || other.identity == nil)
    }
}
