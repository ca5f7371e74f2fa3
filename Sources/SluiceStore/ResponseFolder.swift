import CLinux
import Glibc
import SluiceCore
import SluiceSystem
import Synchronization

/// The cache directory: `index.db`, a body file for each response in `bodies`, and a lock for each session in `sessions`.
///
/// Only names and files; what belongs to what is the index's business. Callable from any thread.
final class ResponseFolder: BodyNaming {
    /// Identifiers up to which each is asked for by itself.
    private static let mostLooks = 8192
    /// Numbers of sessions that are tried until one is free.
    private static let mostLocks = 64

    /// Absolute.
    let path: String
    let bodies: Int32
    let sessions: Int32
    /// In the order in which they were taken; as many as bodies that are being saved.
    private let reserved = Locked<[ResponseID]>([])
    /// Whether the user's files are where they can't have a second name here.
    private let isElsewhere = Atomic<Bool>(false)

    var indexPath: String { path + "/index.db" }

    /// Opens the directory, made if missing, for its owner alone.
    init(_ path: String) throws(DownloadError) {
        self.path = path
        bodies = try Self.open(path + "/bodies")
        do throws(DownloadError) {
            sessions = try Self.open(path + "/sessions")
        } catch {
            close(bodies)
            throw error
        }
    }

    deinit {
        close(bodies)
        close(sessions)
    }

    func bodyPath(_ id: Int64) -> String { "\(path)/bodies/\(id)" }

    /// Gives a file of the user's a second name here, so that its bytes are not written twice.
    ///
    /// Cheap enough for the loop, so that what is stored has its body before anybody hears of it. A file that is
    /// replaced later leaves these bytes alone; one that is written over has another time then, by which the cache
    /// knows. What is given out is always a copy.
    ///
    /// - Parameters:
    ///   - saved: May be another by now; ``write(_:as:_:)`` sees.
    ///   - id: Must be announced, so that a kill leaves nothing that nobody clears up.
    /// - Returns: `false` where the file system can't.
    func link(_ saved: SavedFile, as id: Int64) -> Bool {
        unsafe linkat(AT_FDCWD, saved.path, bodies, "\(id)", 0) == 0
    }

    /// Opens a file of the user's, so that its bytes stay whoever deletes it.
    ///
    /// - Returns: For the caller to close; `nil` if it can't be read any more.
    func open(_ saved: SavedFile) -> Int32? {
        let descriptor = unsafe Glibc.open(saved.path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        return descriptor < 0 ? nil : descriptor
    }

    /// Writes a body under its name, which is new unless it is linked.
    ///
    /// - Returns: When it was last modified, in nanoseconds since 1970.
    /// - Throws: `ioError`, `diskFull`; nothing is left then.
    func write(_ body: ResponseBody, as id: Int64, _ place: ResponseAddition.Place) throws(DownloadError) -> Int64 {
        switch body {
        case .file(let saved) where place == .reserved:
            return saved.modified
        case .file(let saved):
            if place == .linked || link(saved, as: id) {
                if let modified = modified(of: saved, linkedAs: id) { return modified }
                remove(id)
            }
            if case .open(let source) = place { return try copy(source, saved, as: id) }
            guard let source = open(saved) else { throw FileError.error(errno, "read", saved.path) }
            defer { close(source) }
            return try copy(source, saved, as: id)
        case .descriptor(let source, let count):
            return try copy(source, count, as: id)
        case .bytes(let bytes):
            return try create(id) { target throws(DownloadError) in
                let error = BlockWriter.write(bytes.span, target, at: 0)
                if error != 0 { throw FileError.error(error, "write", bodyPath(id)) }
            }
        }
    }

    func remove(_ id: Int64) { unsafe unlinkat(bodies, "\(id)", 0) }

    /// Removes every body.
    ///
    /// - Returns: How many there were, and their bytes.
    func removeBodies() -> (bytes: Int, count: Int) {
        var removed = (bytes: 0, count: 0)
        for id in allBodies() {
            guard let size = status(id)?.size else { continue }
            remove(id)
            removed.count += 1
            // A file may say that it is larger than any disk.
            removed.bytes += min(size, Int(Database.amounts.upperBound))
        }
        return removed
    }

    /// Which bodies there are of a range of identifiers.
    ///
    /// - Complexity: O(identifiers), or O(all bodies) where there are too many identifiers to ask for each.
    func bodies(in range: Range<Int64>) -> [Int64] {
        if range.count <= Self.mostLooks { return range.filter { status($0) != nil } }
        return allBodies().filter { range.contains($0) }
    }

    /// Size and time of a body; `nil` if it is not there.
    func status(_ id: Int64) -> (size: Int, modified: Int64)? {
        var status = stat()
        guard unsafe fstatat(bodies, "\(id)", &status, AT_SYMLINK_NOFOLLOW) == 0 else { return nil }
        return (Int(status.st_size), status.modified)
    }

    /// Takes the lock of a session.
    ///
    /// - Returns: `nil` if somebody else holds it.
    func lock(_ session: Int) -> HeldLock? {
        let descriptor = unsafe openat(sessions, "\(session)", O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { return nil }
        if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { return HeldLock(descriptor) }
        close(descriptor)
        return nil
    }

    /// Takes the first lock that nobody holds, from the one of a session on.
    ///
    /// Sessions of an index that was put aside keep theirs until they end, and its successor does not know of them.
    ///
    /// - Returns: `nil` if none of the next few can be had.
    func firstLock(from session: Int) -> (session: Int, lock: HeldLock)? {
        for offset in 0..<Self.mostLocks {
            let (number, isOver) = session.addingReportingOverflow(offset)
            if isOver { return nil }
            if let lock = lock(number) { return (number, lock) }
        }
        return nil
    }

    /// How many sessions there are, those that died included.
    var lockCount: Int { FolderListing.names(in: path + "/sessions").count }

    func removeLock(_ session: Int) { unsafe unlinkat(sessions, "\(session)", 0) }

    /// When a session last came or went, or all was cleared, in nanoseconds since 1970: the time of the sessions' folder.
    var changed: Int64 { modified(sessions) }

    /// Says so, once the index knows; the folder's own time would be that of the lock, and no finer than the kernel's tick.
    func noteChange() {
        var time = timespec()
        unsafe clock_gettime(CLOCK_REALTIME, &time)
        // Where it can't be set, the lock's coming and going is seen.
        let times = [time, time]
        unsafe futimens(sessions, times)
    }

    // MARK: Reserving

    /// Reserves the name of a body for a file that has none yet.
    ///
    /// - Returns: `nil` where trying was in vain before.
    func reserve(_ id: ResponseID) -> ReservedBody? {
        if isElsewhere.load(ordering: .relaxed) { return nil }
        reserved.withLock { $0.append(id) }
        return ReservedBody(id, in: self)
    }

    /// The first name that is reserved.
    var firstReserved: ResponseID? { reserved.withLock { $0.first } }

    func name(_ descriptor: Int32, as id: ResponseID) -> Bool {
        if unsafe sluice_name(descriptor, bodies, "\(id.rawValue)") == 0 { return true }
        // What else fails may pass.
        if errno == EXDEV { isElsewhere.store(true, ordering: .relaxed) }
        return false
    }

    func unname(_ id: ResponseID) { remove(id.rawValue) }

    func release(_ id: ResponseID) { reserved.withLock { $0.removeAll { $0 == id } } }

    // MARK: Private

    private func allBodies() -> [Int64] { FolderListing.names(in: path + "/bodies").compactMap { Int64($0) } }

    /// - Returns: `nil` if another body got that name meanwhile, which may be of the same size and date.
    private func modified(of saved: SavedFile, linkedAs id: Int64) -> Int64? {
        FileStatus("\(id)", in: bodies).flatMap { $0.isSame(as: saved) ? $0.modified : nil }
    }

    private func copy(_ source: Int32, _ saved: SavedFile, as id: Int64) throws(DownloadError) -> Int64 {
        guard FileStatus(source)?.isSame(as: saved) == true else {
            throw DownloadError(.ioError, "\(saved.path) was changed before it was stored")
        }
        return try copy(source, saved.size, as: id)
    }

    private func copy(_ source: Int32, _ count: Int, as id: Int64) throws(DownloadError) -> Int64 {
        try create(id) { target throws(DownloadError) in
            let copied = try FileCopy.copy(from: source, to: target, bodyPath(id))
            if copied == count { return }
            throw DownloadError(.ioError, "a body of \(count) bytes became one of \(copied) before it was stored")
        }
    }

    /// Makes the file of a body, which goes again if it can't be filled: no index would ever name it.
    ///
    /// - Returns: When it was last modified, in nanoseconds since 1970.
    private func create(
        _ id: Int64,
        filling fill: (Int32) throws(DownloadError) -> Void
    ) throws(DownloadError) -> Int64 {
        let flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
        let target = try FileError.check("create", bodyPath(id)) {
            let made = unsafe openat(bodies, "\(id)", flags, 0o600)
            if made >= 0 || errno != EEXIST { return made }
            // What is left there may be the second name of a user's file, which must not be written over.
            remove(id)
            return unsafe openat(bodies, "\(id)", flags, 0o600)
        }
        defer { close(target) }
        do throws(DownloadError) {
            try fill(target)
        } catch {
            remove(id)
            throw error
        }
        return modified(target)
    }

    private func modified(_ descriptor: Int32) -> Int64 {
        var status = stat()
        return unsafe fstat(descriptor, &status) == 0 ? status.modified : 0
    }

    private static func open(_ path: String) throws(DownloadError) -> Int32 {
        let made = FolderPath.make(path, for: .owner)
        return try FileError.check("open", path, made: made) {
            unsafe Glibc.open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW)
        }
    }
}
