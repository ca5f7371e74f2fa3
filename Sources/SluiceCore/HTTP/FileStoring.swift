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
    /// Absolute folder that the user named instead of the destination directory; made if missing.
    public var directory: String?
    public var onExists: OnExists
    /// Bytes, if announced; free space is checked against it.
    public var expected: Int?
    /// Files that may be replaced, because they are earlier complete bodies of the same URL; in any folder.
    public var replaces: [SavedFile] = []
    /// Whether such a file stays if it has the same bytes, since nothing new came of the origin.
    public var leavesEqual = false
    /// Parts that others can continue, so that they are no leftovers.
    public var held: Set<PartLocation> = []
    public init(name: String, folder: String? = nil, onExists: OnExists = .rename, expected: Int? = nil) {
        (self.name, self.folder, self.onExists, self.expected) = (name, folder, onExists, expected)
    }
}

/// What the writer of large files has to tell.
public enum FileNews: Sendable {
    /// There is room again: resume reading.
    case drained(FileID)
    /// Every byte is in the part file, after ``FileStoring/finish(_:)`` said `false`.
    case written(FileID)
    /// The file has its name, after ``FileStoring/save(_:lastModified:)`` said `true`; it is forgotten.
    case saved(FileID, SavedFile)
    /// Writing failed; close the file with ``FileStoring/keepPart(_:)``.
    case failed(FileID, DownloadError)
}

/// How the bytes of a part that is opened again are used.
public struct ReopenWish: Equatable, Sendable {
    /// Bytes to use at most; those behind are written again.
    public var limit: Int?
    /// Bytes at the end to hand out and not to use, so that they can be compared with what comes.
    public var overlap = 0
    /// Bytes at the start to hand out; with an overlap, a shorter part is not worth continuing.
    public var prefix: Int
    /// The folder that the user names instead of the destination directory.
    public var directory: String?
    public init(prefix: Int) { self.prefix = prefix }
}

/// A part that is open again.
public struct ReopenedPart: Sendable {
    public let file: FileID
    /// Bytes that are used, the overlap not counted: the next one is written behind them.
    public let length: Int
    /// Its first bytes.
    public let prefix: [UInt8]
    /// What stands behind them, to be compared.
    public let overlap: [UInt8]
    public init(file: FileID, length: Int, prefix: [UInt8], overlap: [UInt8]) {
        (self.file, self.length, self.prefix, self.overlap) = (file, length, prefix, overlap)
    }
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
/// Confined to the loop's thread, like the transport. Bodies larger than one block, and small ones
/// that came in one turn, go to a writer thread, whose news the pipeline asks for. Nothing is ever written
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
    /// Writes a small body whole and gives it its name, on another thread.
    ///
    /// - Parameters:
    ///   - file: Finished.
    ///   - lastModified: As for ``publish(_:as:lastModified:)``.
    /// - Returns: Whether that is done, and ``FileNews/saved(_:_:)`` or ``FileNews/failed(_:_:)`` follows; else publish it.
    func save(_ file: FileID, lastModified: Int?) -> Bool
    /// Writes small bodies that are not whole to their part files; called at the end of each turn.
    func settle()
    /// Closes the file, leaves `name.part` for later, and forgets the file.
    ///
    /// One that is being saved on another thread leaves nothing.
    func keepPart(_ file: FileID)
    /// Closes the file, removes `name.part`, and forgets the file.
    func discard(_ file: FileID)
    /// Which part file it is, to be opened again later; `nil` if it is no file that stays, or is closed.
    func location(of file: FileID) -> PartLocation?
    /// The absolute path that the file gets if nobody takes it first; `nil` as long as it has no part file.
    ///
    /// Only tells: it makes no file of a small body that is in memory still.
    func reservedPath(of file: FileID) -> String?
    /// Opens and locks a part that was kept, to append to it.
    ///
    /// - Parameters:
    ///   - part: As ``location(of:)`` said.
    ///   - wish: How its bytes are used.
    ///   - onExists: What happens if the final name is taken.
    ///   - replaces: Files that may be replaced, because they are earlier complete bodies of the same URL.
    /// - Returns: `nil` if it is not that file any more, in another directory, in use, too short, or somebody else's.
    func reopen(_ part: PartLocation, _ wish: ReopenWish, onExists: OnExists, replaces: [SavedFile]) -> ReopenedPart?
    /// Whether a saved file is as it was saved: same path, size and time.
    func isIntact(_ file: SavedFile) -> Bool
    /// What copies a saved file to a new name; may take as long as the file is large, so call it on another thread.
    ///
    /// - Returns: A function that makes the copy; `ioError` or `diskFull` if it can't, and nothing is left of it then.
    func copier(of file: SavedFile, to request: FileRequest) -> @Sendable () -> Result<SavedFile, DownloadError>
    /// What deletes a saved file, unless it is no longer as it was saved; may block, so call it on another thread.
    ///
    /// - Returns: A function that returns why the file was not deleted, or `nil`.
    func remover(of file: SavedFile) -> @Sendable () -> DownloadError?
    func nextNews() -> FileNews?
    /// Writes what collects in memory, so that the death of the process costs little of a slow transfer.
    func flush(_ file: FileID)
    /// Bytes that the destination has left; `nil` if nobody knows.
    var freeSpace: Int? { get }
    /// Whether ``descriptor(of:)`` works, which is not so where a body goes to a pipe.
    var canReadBack: Bool { get }
}

extension FileStoring {
    public var canReadBack: Bool { true }
}

/// What holds for stores without part files.
extension FileStoring {
    public func location(of file: FileID) -> PartLocation? { nil }
    public func reservedPath(of file: FileID) -> String? { nil }
    public func flush(_ file: FileID) {}
    public func save(_ file: FileID, lastModified: Int?) -> Bool { false }
    public func settle() {}
    public var freeSpace: Int? { nil }

    public func reopen(
        _ part: PartLocation,
        _ wish: ReopenWish,
        onExists: OnExists,
        replaces: [SavedFile]
    ) -> ReopenedPart? { nil }
}

extension FileStoring {
    public func remover(of file: SavedFile) -> @Sendable () -> DownloadError? {
        { DownloadError(.unsupported, "nothing can be deleted here") }
    }
}
