/// How a finished body is published.
public enum FilePublication: Sendable {
    /// Under its final name, in one step.
    case final
    /// As ``final``, but nothing is overwritten: if the name is taken, under the next one that is free.
    case next
    /// As `name.bad`: what arrived is not what it should be.
    case bad
}

/// Writes bodies to `name.part` and gives them their names when they are complete.
///
/// Confined to the loop's thread, like the transport. Bodies larger than one block, and small ones
/// that came in one turn, go to a writer thread, whose news the pipeline asks for. Nothing is ever written
/// outside the destination directory, nor through a symbolic link in it.
///
/// Who has news from another thread calls ``PipelineExecutor/wake()`` of the pipeline's executor: after ``finish(_:)``
/// said `false`, ``save(_:lastModified:for:)`` said `true`, or a chunk was answered with `pause`, nobody else asks for
/// them. The pipeline keeps its store for life and does not close it.
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
    /// Gives a small body that is whole its file and its name, which it gets on another thread.
    ///
    /// - Parameters:
    ///   - file: Finished.
    ///   - lastModified: As for ``publish(_:as:lastModified:)``.
    ///   - reserve: Called if the file has no name before; what it returns gets the file as well.
    /// - Returns: Whether that is done, and ``FileNews/saved(_:_:)`` or ``FileNews/failed(_:_:)`` follows; else publish it.
    func save(_ file: FileID, lastModified: Int?, for reserve: () -> ReservedBody?) -> Bool
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
    func reopen(
        _ part: PartLocation,
        _ wish: ReopenWish,
        onExists: OnExists,
        replaces: ReplaceableFiles
    ) -> ReopenedPart?
    /// Whether a saved file is as it was saved: same path, size and time.
    func isIntact(_ file: SavedFile) -> Bool
    /// Whether a saved file is another name of a stored one, so that their bytes need not be compared.
    ///
    /// - Returns: The saved file as it is now, with what tells it from others; `nil` if not, or if one is not as it was.
    func secondName(of stored: SavedFile, at saved: SavedFile) -> SavedFile?
    /// What copies a saved file to a new name; may take as long as the file is large, so call it on another thread.
    ///
    /// - Returns: A function that makes the copy; `ioError` or `diskFull` if it can't, and nothing is left of it then.
    func copier(of file: SavedFile, to request: FileRequest) -> @Sendable () -> Result<SavedFile, DownloadError>
    /// What deletes a saved file, unless it is no longer as it was saved; may block, so call it on another thread.
    ///
    /// - Returns: A function that returns why the file was not deleted, or `nil`.
    func remover(of file: SavedFile) -> @Sendable () -> DownloadError?
    /// What the writer thread has done since the last call, one at a time; `nil` if that is all.
    func nextNews() -> FileNews?
    /// Writes what collects in memory, so that the death of the process costs little of a slow transfer.
    func flush(_ file: FileID)
    /// Refuses a file that has no room, before its first byte; small ones are never refused.
    ///
    /// - Throws: `diskFull`.
    func checkSpace(for request: FileRequest) throws(DownloadError)
    /// Looks how much room there is.
    ///
    /// - Parameter folder: Absolute; `nil` is the destination.
    /// - Returns: Bytes that its file system has left; `nil` if nobody knows.
    func freeSpace(in folder: String?) -> Int?
    /// Whether ``descriptor(of:)`` works, which is not so where a body goes to a pipe.
    var canReadBack: Bool { get }
    /// The SHA-256 of what all transfers of a body wrote, where that can't be read back.
    ///
    /// - Returns: 64 lower-case hexadecimal digits; `nil` where it was not summed up.
    func sha256(of file: FileID) -> String?
}

extension FileStoring {
    /// Part files can be read, unless a store says otherwise.
    public var canReadBack: Bool { true }
    /// What can be read back is summed up when it is whole.
    public func sha256(of file: FileID) -> String? { nil }
}

/// What holds for stores without part files.
extension FileStoring {
    /// Nothing that could be opened again.
    public func location(of file: FileID) -> PartLocation? { nil }
    /// No path is promised.
    public func reservedPath(of file: FileID) -> String? { nil }
    /// No file has two names.
    public func secondName(of stored: SavedFile, at saved: SavedFile) -> SavedFile? { nil }
    /// Nothing collects in memory.
    public func flush(_ file: FileID) {}
    /// No other thread saves: publish it.
    public func save(_ file: FileID, lastModified: Int?, for reserve: () -> ReservedBody?) -> Bool { false }
    /// Nothing waits for the end of a turn.
    public func settle() {}
    /// There is room for everything.
    public func checkSpace(for request: FileRequest) throws(DownloadError) {}
    /// Nobody knows.
    public func freeSpace(in folder: String?) -> Int? { nil }

    /// Nothing was kept, so the body starts over.
    public func reopen(
        _ part: PartLocation,
        _ wish: ReopenWish,
        onExists: OnExists,
        replaces: ReplaceableFiles
    ) -> ReopenedPart? { nil }
}

extension FileStoring {
    /// Which of the known files stand there, so that one that is made now can be told from them.
    ///
    /// Of one of an earlier session only path, size and time are known, which a file made in its place may have too.
    package func standing(_ known: [SavedFile]) -> [SavedFile] {
        known.filter { $0.identity != nil || isIntact($0) }
    }

    /// Refuses: the store has no files to delete.
    public func remover(of file: SavedFile) -> @Sendable () -> DownloadError? {
        { DownloadError(.unsupported, "nothing can be deleted here") }
    }
}
