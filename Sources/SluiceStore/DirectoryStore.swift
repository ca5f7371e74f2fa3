import CLinux
import Glibc
public import SluiceCore
import SluiceSystem

/// Files in one destination directory: each body goes to `name.part` and is renamed when complete.
///
/// Confined to the pipeline's thread. Everything happens relative to the directory as it was opened
/// when a file was begun, and through no symbolic link in it, so nothing is ever written elsewhere.
/// A thread of its own, which ``close()`` ends, writes large bodies in blocks, and makes the files of small ones that came in
/// one turn of the loop; what lies between is written at once.
public final class DirectoryStore: FileStoring {
    /// The destination, absolute, links resolved.
    public var path: String { destination.path }

    /// As it was looked for last.
    private(set) var destination: Folder
    /// When that was, and how long it counts: the look is a walk along the path.
    private var lookedAt: Timestamp
    private static let lookInterval = Duration.milliseconds(100)
    private let clock: @Sendable () -> Timestamp
    let syncs: Bool
    let writer: BlockWriter
    #if !DEBUG
    @safe @exclusivity(unchecked)
    #endif
    var files = ShortMap<FileID, PartFile>()
    /// Those that have no file yet.
    #if !DEBUG
    @safe @exclusivity(unchecked)
    #endif
    var small = ShortMap<FileID, HeldBody>()
    /// Those that the writer makes a file of.
    #if !DEBUG
    @safe @exclusivity(unchecked)
    #endif
    var saving = ShortMap<FileID, Void>()
    /// Why small bodies got no file at the end of a turn.
    private var failures = Queue<(FileID, DownloadError)>()
    var lastID = 0
    private var taken = TakenNames()
    /// Whether the writer has ever been used; without, there are no news to ask for.
    var hasWriterStarted = false

    /// Opens the destination directory.
    ///
    /// - Parameters:
    ///   - directory: Made if missing.
    ///   - syncs: Whether each file is synced to disk before it gets its name.
    ///   - wake: Called on the writer's thread when there are news.
    /// - Throws: `ioError` if it can't be made or opened.
    public convenience init(
        directory: String,
        syncs: Bool = false,
        wake: @escaping @Sendable () -> Void
    ) throws(DownloadError) {
        try self.init(directory: directory, syncs: syncs, clock: { MonotonicClock.now() }, wake: wake)
    }

    package init(
        directory: String,
        syncs: Bool,
        clock: @escaping @Sendable () -> Timestamp,
        wake: @escaping @Sendable () -> Void
    ) throws(DownloadError) {
        destination = try Folder.destination(directory)
        (self.clock, self.syncs, lookedAt) = (clock, syncs, clock())
        writer = BlockWriter(wake: wake)
    }

    deinit { close() }

    /// Writes what was handed over, closes all files, leaving their parts, and ends the writer's thread.
    ///
    /// Blocks until that is done. Only for a store that no pipeline has: the end of one that was given to a
    /// pipeline comes by itself, when the last one lets go of that pipeline, and does the same.
    public func close() {
        for (file, _) in files { keepPart(file) }
        for (file, _) in small { keepPart(file) }
        for (file, _) in saving { discard(file) }
        writer.close()
        // What was saved for nobody goes again.
        while nextNews() != nil {}
        hasWriterStarted = false
    }

    /// A small body of announced length may be held in memory at first; any other gets its part file now.
    public func create(_ request: FileRequest) throws(DownloadError) -> FileID? {
        try lookForDestination()
        let folder = try destination.folder(of: request)
        try folder.checkSpace(for: request)
        let known = folder.knownIndex(for: request)
        var request = request
        // What is not there any more can't be replaced, and need not be looked for again.
        if known == nil { request.replaces = ReplaceableFiles() }
        if SmallBody.isWanted(request), !syncs {
            lastID += 1
            small[FileID(lastID)] = HeldBody(SmallBody(folder: folder, request: request), writer.makeSmall())
            return FileID(lastID)
        }
        guard let file = try open(request, known, in: folder) else { return nil }
        lastID += 1
        files[FileID(lastID)] = file
        if request.expected.map({ $0 > BlockWriter.blockSize }) ?? true { file.block = writer.makeBlock() }
        return FileID(lastID)
    }

    /// Opens the destination anew where its path leads elsewhere by now: a user may remove or move a folder meanwhile.
    ///
    /// What was begun goes on where it is.
    func lookForDestination() throws(DownloadError) {
        let now = clock()
        guard now - lookedAt >= Self.lookInterval else { return }
        if !destination.isAtItsPath { destination = try destination.openedAgain() }
        lookedAt = now
    }

    /// Says `pause` where a block is full and the writer has too much to do; never waits for it.
    public func write(_ chunk: Span<UInt8>, to id: FileID) throws(DownloadError) -> BodyFlow {
        if hold(chunk, id) { return .taken }
        let file = try file(id)
        if file.block.capacity == 0 {
            if file.byteCount + chunk.count <= BlockWriter.blockSize {
                try writeNow(chunk, to: file)
                file.byteCount += chunk.count
                return .taken
            }
            // More comes than was announced.
            file.block = writer.makeBlock()
        }
        let room = BlockWriter.blockSize - file.block.count
        if chunk.count >= room, !writer.hasRoom(for: id) { return .pause }
        var rest = chunk
        while rest.count >= BlockWriter.blockSize - file.block.count {
            let part = BlockWriter.blockSize - file.block.count
            append(rest.extracting(first: part), to: file)
            rest = rest.extracting(droppingFirst: part)
            hand(file, id)
            file.block = writer.makeBlock()
        }
        append(rest, to: file)
        return .taken
    }

    /// Bytes that the writer has not seen are handed to it, or written now where there are few.
    public func finish(_ id: FileID) throws(DownloadError) -> Bool {
        if small[id] != nil { return true }
        let file = try file(id)
        if file.isWithWriter {
            if !file.block.isEmpty { hand(file, id) }
        } else if !file.block.isEmpty {
            let offset = file.offset
            let error = BlockWriter.write(file.block.span, file.descriptor, at: offset)
            if error != 0 { throw FileError.error(error, "write", file.folder.path(of: file.partName)) }
        }
        if file.block.capacity > 0 { writer.recycle(&file.block) }
        if !file.isWithWriter, !syncs { return true }
        useWriter(for: file)
        writer.end(id, file.descriptor, syncs: syncs, comparing: file.twin())
        return false
    }

    /// Only for a small body that has no file yet; the writer makes it, and tells of it.
    public func save(_ id: FileID, lastModified: Int?, for reserve: () -> ReservedBody?) -> Bool {
        guard let held = small.removeValue(forKey: id) else { return false }
        held.body.modified = lastModified.map { timespec(tv_sec: $0, tv_nsec: 0) }
        saving[id] = ()
        hasWriterStarted = true
        writer.save(held.body, reserve(), &held.bytes, as: id)
        return true
    }

    /// Gives all small bodies that are not whole their part files, in the order in which they came.
    ///
    /// It is the order of their names.
    public func settle() {
        if small.isEmpty { return }
        for id in small.map(\.key).sorted(by: { $0.rawValue < $1.rawValue }) {
            do throws(DownloadError) {
                _ = try file(id)
            } catch {
                forget(id)
                failures.append((id, error))
            }
        }
    }

    /// A descriptor of its own, without the lock, and without the place up to which was written.
    public func descriptor(of id: FileID) throws(DownloadError) -> Int32 {
        let file = try file(id)
        // Opened anew: a copy of the descriptor would share the lock, and keep it after the file is let go.
        return try FileError.check("read", file.folder.path(of: file.partName)) {
            unsafe openat(file.folder.descriptor, file.partName, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        }
    }

    /// Writes what is still in a block, and renames in one step.
    public func publish(
        _ id: FileID,
        as publication: FilePublication,
        lastModified: Int?
    ) throws(DownloadError) -> SavedFile {
        let file = try file(id)
        // A body that is refused before its end has bytes that were never written.
        if !file.block.isEmpty {
            if file.isWithWriter {
                hand(file, id)
            } else {
                let error = BlockWriter.write(file.block.span, file.descriptor, at: file.offset)
                if error != 0 { throw FileError.error(error, "write", file.folder.path(of: file.partName)) }
            }
        }
        if file.wasReopened, ftruncate(file.descriptor, file.byteCount) != 0 {
            throw FileError.error(errno, "write", file.folder.path(of: file.partName))
        }
        // After the last write, which dates it anew.
        file.setModified(lastModified.map { timespec(tv_sec: $0, tv_nsec: 0) })
        guard file.isInPlace else {
            let path = file.folder.path(of: file.partName)
            throw DownloadError(.ioError, "\(path) was moved or replaced while it was written: download it again")
        }
        let saved = try file.rename(as: publication, &taken)
        files[id] = nil
        release(file, id)
        return saved
    }

    /// What the writer still has of it is dropped there.
    public func discard(_ id: FileID) {
        if small[id] != nil { return forget(id) }
        if saving.removeValue(forKey: id) != nil { return writer.drop(id) }
        guard let file = files.removeValue(forKey: id) else { return }
        file.remove()
        if file.isWithWriter { writer.drop(id) }
        release(file, id)
    }

    /// Failures of the last turn's small bodies first, then what the writer did.
    public func nextNews() -> FileNews? {
        if let (id, error) = failures.popFirst() { return .failed(id, error) }
        guard hasWriterStarted else { return nil }
        while let news = writer.takeNews() {
            switch news {
            case .drained(let id) where files[id] != nil:
                return .drained(id)
            case .equal(let id, let equal):
                files[id]?.equal = equal
            case .written(let id) where files[id] != nil:
                return .written(id)
            case .failed(let id, let number):
                guard let file = files[id] else { continue }
                return .failed(id, FileError.error(number, "write", file.folder.path(of: file.partName)))
            case .drained, .written:
                continue
            case .saved(let id, let file):
                if saving.removeValue(forKey: id) != nil { return .saved(id, file) }
                // Given up while it was made: nobody knows of it, so it goes again.
                writer.forget(id)
                _ = FileRemoval.remove(file)
            case .unsaved(let id, let error):
                if saving.removeValue(forKey: id) != nil { return .failed(id, error) }
                writer.forget(id)
            }
        }
        return nil
    }

    // MARK: Names

    private func open(_ request: FileRequest, _ known: Int?, in folder: Folder) throws(DownloadError) -> PartFile? {
        if isSkipped(request, known, in: folder) { return nil }
        if request.onExists == .overwrite,
            folder.status(of: request.name).map({ $0.st_mode & S_IFMT == S_IFDIR }) ?? false
        {
            let path = folder.path(of: request.name)
            throw DownloadError(
                .ioError,
                "\(path) is a folder, which no file replaces: move it, or let onExists be rename"
            )
        }
        return try PartFile.first(folder, for: request, from: known ?? 0, &taken, unlock: unlocking)
    }

    /// Whether the name is taken by what is not known, and such requests are skipped.
    func isSkipped(_ request: FileRequest, _ known: Int?, in folder: Folder) -> Bool {
        request.onExists == .skip && known == nil && folder.status(of: request.name) != nil
    }

    /// Waits until the writer has closed this store's own part at a path, which may be all that a name is taken by.
    var unlocking: (@Sendable (String) -> Void)? {
        hasWriterStarted ? { @Sendable [writer] path in writer.waitUntilClosed(path) } : nil
    }

    /// Folders within the destination count as of its file system until the file is made, which looks again.
    public func checkSpace(for request: FileRequest) throws(DownloadError) {
        let folder = try request.directory.map { path throws(DownloadError) in try Folder.destination(path) }
        try (folder ?? destination).checkSpace(for: request)
    }

    /// Asks the file system at each call.
    public func freeSpace(in folder: String?) -> Int? {
        guard let folder else { return destination.freeSpace }
        return (try? Folder.destination(folder))?.freeSpace
    }

    // MARK: Bytes

    /// The open part file; a small body that has none yet gets it.
    ///
    /// - Throws: Why it could not have one, also as long as nobody took that news.
    private func file(_ id: FileID) throws(DownloadError) -> PartFile {
        if let file = files[id] { return file }
        guard let held = small[id] else {
            if let failure = failures.first(where: { $0.0 == id }) { throw failure.1 }
            preconditionFailure("a file that was never created, is being saved, or is closed")
        }
        let (folder, request) = (held.body.folder, held.body.request)
        guard let file = try PartFile.first(folder, for: request, from: 0, &taken, unlock: unlocking) else {
            throw FileCandidates.exhausted(folder.path(of: request.name))
        }
        do throws(DownloadError) {
            try writeNow(held.bytes.span, to: file)
        } catch {
            // The body stays held: an empty file must not pass for it.
            file.remove()
            Glibc.close(file.descriptor)
            throw error
        }
        file.byteCount = held.bytes.count
        files[id] = file
        forget(id)
        return file
    }

    /// Lets the bytes of a small body go.
    func forget(_ id: FileID) {
        if let held = small.removeValue(forKey: id) { writer.recycleSmall(&held.bytes) }
    }

    /// The part file, if it can be had; `nil` also for a body that the writer has.
    func opened(_ id: FileID) -> PartFile? {
        if let file = files[id] { return file }
        return small[id] == nil ? nil : try? file(id)
    }

    /// Adds to a body that has no file yet.
    ///
    /// - Returns: Whether it still needs none.
    private func hold(_ chunk: Span<UInt8>, _ id: FileID) -> Bool {
        guard let held = small[id], held.bytes.count + chunk.count <= SmallBody.limit else { return false }
        unsafe chunk.withUnsafeBufferPointer { unsafe held.bytes.append(contentsOf: $0) }
        return true
    }

    private func writeNow(_ chunk: Span<UInt8>, to file: PartFile) throws(DownloadError) {
        let error = BlockWriter.write(chunk, file.descriptor, at: file.byteCount)
        if error != 0 { throw FileError.error(error, "write", file.folder.path(of: file.partName)) }
    }

    private func append(_ chunk: Span<UInt8>, to file: PartFile) {
        unsafe chunk.withUnsafeBufferPointer { unsafe file.block.append(contentsOf: $0) }
        file.byteCount += chunk.count
    }

    func hand(_ file: PartFile, _ id: FileID) {
        useWriter(for: file)
        writer.write(&file.block, to: id, file.descriptor, at: file.offset)
    }

    private func useWriter(for file: PartFile) { (file.isWithWriter, hasWriterStarted) = (true, true) }

    /// Closes a file, and with that unlocks it; by the writer if it may still be at it.
    ///
    /// - Parameters:
    ///   - file: Whose descriptor.
    ///   - id: Its number.
    ///   - stays: Whether the part is there for later.
    func release(_ file: PartFile, _ id: FileID, stays: Bool = false) {
        if file.block.capacity > 0 { writer.recycle(&file.block) }
        if file.isWithWriter {
            writer.close(id, file.descriptor, staysAt: stays ? file.folder.path(of: file.partName) : nil)
        } else {
            Glibc.close(file.descriptor)
        }
    }
}
