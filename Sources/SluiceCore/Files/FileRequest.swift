/// A wish for a new file in the destination directory.
public struct FileRequest: Sendable {
    /// Up to this size files are written at once or not at all, in bytes: free space is not worth a question for them.
    public static let smallSize = 65_536

    /// Safe: no separators, no control characters, no leading dot; see `FileName`.
    public var name: String
    /// Relative folder below the destination directory, or `nil`; made if missing.
    public var folder: String?
    /// Absolute folder that the user named instead of the destination directory; made if missing.
    public var directory: String?
    /// What happens if a file of that name is there that may not be replaced.
    public var onExists: OnExists
    /// Bytes, if announced; free space is checked against it.
    public var expected: Int?
    /// Files that may be replaced.
    public var replaces = ReplaceableFiles()
    /// Whether such a file stays if it has the same bytes, since nothing new came of the origin.
    public var leavesEqual = false
    /// When such bytes came from the origin, in milliseconds since 1970: a file of ``sameResource`` that was made later
    /// stays, since its bytes are newer.
    public var arrived: Int64?
    /// Those of ``replaces`` that hold what just this request asks for: others may be of another user or variant, whose
    /// bytes are no newer ones of these.
    public var sameResource: [SavedFile] = []
    /// Parts that others can continue, so that they are no leftovers.
    public var held: Set<PartLocation> = []

    /// A wish for a name; all else is set where it is known.
    ///
    /// - Parameters:
    ///   - name: Safe, as for ``name``.
    ///   - folder: Below the destination directory; `nil` for that itself.
    ///   - onExists: What happens if the name is taken.
    ///   - expected: Bytes, if announced.
    public init(name: String, folder: String? = nil, onExists: OnExists = .rename, expected: Int? = nil) {
        (self.name, self.folder, self.onExists, self.expected) = (name, folder, onExists, expected)
    }

    /// A wish for a path relative to the destination directory, or an absolute one.
    package init(path: String, onExists: OnExists) {
        let parts = DestinationPath.split(path)
        self.init(name: parts.name, folder: parts.folder, onExists: onExists)
        directory = parts.directory
    }
}
