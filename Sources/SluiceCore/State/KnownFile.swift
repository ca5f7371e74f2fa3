/// A file that is known as the complete body of a key, so that it may be replaced by a newer one.
public struct KnownFile: Hashable, Sendable {
    /// The merge key as text.
    public var key: String
    /// The destination directory that it was saved for.
    public var directory: String
    /// Known only as long as it is as it was saved.
    public var file: SavedFile
    /// A file that was saved for a key.
    public init(key: String, directory: String, file: SavedFile) {
        (self.key, self.directory, self.file) = (key, directory, file)
    }
}
