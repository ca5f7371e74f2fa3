/// Names a file that is being written; never used twice.
public struct FileID: Hashable, Sendable {
    public let rawValue: Int
    public init(_ rawValue: Int) { self.rawValue = rawValue }
}

/// What to do about a file of the wanted name that is not known to be this URL's body.
public enum OnExists: String, CaseIterable, Sendable {
    /// `name.1.ext`, `.2` …
    case rename
    /// The request ends without a file; what is there stays.
    case skip
    case overwrite
}

/// A file that holds a complete body, as it was when it was saved.
public struct SavedFile: Hashable, Sendable {
    /// Absolute.
    public let path: String
    /// In bytes.
    public let size: Int
    /// Nanoseconds since 1970.
    public let modified: Int64
    public init(path: String, size: Int, modified: Int64) {
        (self.path, self.size, self.modified) = (path, size, modified)
    }
}

/// A wish for a new file in the destination directory.
public struct FileRequest: Sendable {
    /// Safe: no separators, no control characters, no leading dot; see `FileName`.
    public var name: String
    /// Relative folder below the destination directory, or `nil`; made if missing.
    public var folder: String?
    public var onExists: OnExists
    /// Bytes, if announced; free space is checked against it.
    public var expected: Int?
    /// A file that may be replaced, because it is an earlier complete body of the same URL.
    public var replaces: SavedFile?
    public init(name: String, folder: String? = nil, onExists: OnExists = .rename, expected: Int? = nil) {
        (self.name, self.folder, self.onExists, self.expected, replaces) = (name, folder, onExists, expected, nil)
    }
}

/// What the writer of large files has to tell.
public enum FileNews: Sendable {
    /// There is room again: resume reading.
    case drained(FileID)
    /// Every byte is in the part file, after ``FileStoring/finish(_:)`` said `false`.
    case written(FileID)
    /// Writing failed; close the file with ``FileStoring/keepPart(_:)``.
    case failed(FileID, DownloadError)
}

/// How a finished body is published.
public enum FilePublication: Sendable {
    /// Under its final name, in one step.
    case final
    /// As `name.bad`: what arrived is not what it should be.
    case bad
}

/// Writes bodies to `name.part` and gives them their names when they are complete.
///
/// Confined to the loop's thread, like the transport. Bodies larger than one block go
/// to a writer thread, whose news the pipeline asks for. Nothing is ever written
/// outside the destination directory, nor through a symbolic link in it.
public protocol FileStoring: AnyObject {
    /// Opens and locks the part file, and chooses the final name.
    ///
    /// - Returns: The file, or `nil` if `onExists` is `skip` and the name is taken.
    /// - Throws: `ioError`, `diskFull`.
    func create(_ request: FileRequest) throws(DownloadError) -> FileID?
    /// Appends to the part file.
    func write(_ chunk: Span<UInt8>, to file: FileID) throws(DownloadError) -> BodyFlow
    /// Says that no more bytes come.
    ///
    /// - Returns: Whether all bytes are in the part file already; else ``FileNews/written(_:)`` follows.
    func finish(_ file: FileID) throws(DownloadError) -> Bool
    /// A new descriptor for reading the part file from its start; the caller closes it.
    func descriptor(of file: FileID) throws(DownloadError) -> Int32
    /// Renames the part file, and forgets the file.
    ///
    /// - Parameters:
    ///   - file: Finished, all bytes written.
    ///   - publication: Under which name.
    ///   - lastModified: The modification time to set, in seconds since 1970.
    /// - Returns: The file as it is now.
    /// - Throws: `ioError` or `diskFull`; the file is still open then, to be kept or discarded.
    func publish(
        _ file: FileID,
        as publication: FilePublication,
        lastModified: Int?
    ) throws(DownloadError) -> SavedFile
    /// Closes the file, leaves `name.part` for later, and forgets the file.
    func keepPart(_ file: FileID)
    /// Closes the file, removes `name.part`, and forgets the file.
    func discard(_ file: FileID)
    /// Whether a saved file is as it was saved: same path, size and time.
    func isIntact(_ file: SavedFile) -> Bool
    /// Copies a saved file to a new name; small files at once, so call it off the hot path.
    func copy(_ file: SavedFile, to request: FileRequest) throws(DownloadError) -> SavedFile
    func nextNews() -> FileNews?
}
