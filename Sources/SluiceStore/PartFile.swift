import CLinux
import Glibc
import SluiceCore
import SluiceSystem

/// A body on its way: `name.part`, open and locked, and the names that it may get.
///
/// Owns the descriptor and says what was done with it; the store decides what happens.
/// A class because it changes in place at every chunk. Confined to the store's thread.
final class PartFile {
    let folder: Folder
    /// The folder below the destination directory, as it was asked for.
    let relativeFolder: String?
    /// The folder that the user named instead of the destination directory.
    let directory: String?
    let candidates: FileCandidates
    /// Of the name that the part file goes with; the final name is this one or a later one.
    let index: Int
    let partName: String
    let descriptor: Int32
    let onExists: OnExists
    /// What may be replaced under that name.
    let replaces: ReplaceableFiles
    /// Bytes that came, those in ``block`` included.
    var byteCount = 0
    /// Bytes that collect until they are a block; empty as long as chunks are written at once.
    var block: [UInt8] = []
    /// Whether an earlier transfer left bytes in it, perhaps more than are used.
    var wasReopened = false
    /// Whether it has the time that the server states.
    private var isDated = false
    /// Whether what may be replaced stays if it has the same bytes.
    private let leavesEqual: Bool
    /// When the body came from the origin, where it was stored before; in milliseconds since 1970.
    private let arrived: Int64?
    /// What may be newer then.
    private let sameResource: [SavedFile]
    /// Whether the writer thread got something to do for it, and so must close it too.
    var isWithWriter = false
    /// What the writer compared it with, and so need not be read again.
    private var compared: FileTwin?
    /// What the writer found to have the same bytes.
    var equal: SavedFile?

    private init(
        _ folder: Folder,
        _ candidates: FileCandidates,
        _ index: Int,
        _ partName: String,
        _ descriptor: Int32,
        _ request: FileRequest
    ) {
        (self.folder, self.candidates, self.index) = (folder, candidates, index)
        (self.partName, self.descriptor, relativeFolder) = (partName, descriptor, request.folder)
        (onExists, replaces, directory) = (request.onExists, request.replaces, request.directory)
        (leavesEqual, arrived, sameResource) = (request.leavesEqual, request.arrived, request.sameResource)
    }

    /// Bytes that were handed to the system or to the writer.
    var offset: Int { byteCount - block.count }

    /// Makes and locks the part file of one candidate.
    ///
    /// A leftover gives way to a new file, so that no record of it is taken for one of the new
    /// one. What is locked by somebody else, or is no plain file of ours with one name, counts
    /// as a taken name.
    ///
    /// - Returns: `nil` if the name is taken.
    static func open(
        _ folder: Folder,
        _ candidates: FileCandidates,
        _ index: Int,
        for request: FileRequest
    ) throws(DownloadError) -> PartFile? {
        let partName = partName(candidates, index)
        if let descriptor = try make(partName, in: folder) {
            return PartFile(folder, candidates, index, partName, descriptor, request)
        }
        guard let leftover = lockedLeftover(partName, in: folder) else { return nil }
        if !request.held.isEmpty, let identity = identity(of: leftover),
            request.held.contains(where: { $0.inode == identity.inode && $0.born == identity.born })
        {
            close(leftover)
            return nil
        }
        // Locked until the new one is there: nobody else takes it for a leftover meanwhile.
        defer { close(leftover) }
        guard unsafe unlinkat(folder.descriptor, partName, 0) == 0, let descriptor = try make(partName, in: folder)
        else { return nil }
        return PartFile(folder, candidates, index, partName, descriptor, request)
    }

    /// Makes and locks the part file of the first candidate that is free.
    ///
    /// - Parameters:
    ///   - folder: Where.
    ///   - request: Which name, and what to do if it is taken.
    ///   - start: The candidate to begin with.
    ///   - taken: What was found taken before; notes what is now.
    ///   - unlock: Called with a path that is taken: closes what this process no longer uses there.
    /// - Returns: `nil` if the first one is taken by a file, and `onExists` is `skip`.
    /// - Throws: `ioError`, `diskFull`.
    static func first(
        _ folder: Folder,
        for request: FileRequest,
        from start: Int,
        _ taken: inout TakenNames,
        unlock: ((String) -> Void)? = nil
    ) throws(DownloadError) -> PartFile? {
        let candidates = FileCandidates(request.name)
        // Nearly always the first one is free, and nobody needs it.
        func path() -> String { folder.path(of: partName(candidates, 0)) }
        var index = start
        while index < FileCandidates.limit {
            if let file = try open(folder, candidates, index, for: request) {
                if index - start >= fewParts { taken.note(index, from: start, of: path()) }
                return file
            }
            if let unlock {
                // It may have been closed since the look: tried again in any case.
                unlock(folder.path(of: partName(candidates, index)))
                if let file = try open(folder, candidates, index, for: request) { return file }
            }
            // A part is no file yet: only what has the name itself stays as it is.
            if request.onExists == .skip, index == start, folder.status(of: candidates[index]) != nil { return nil }
            index += 1
            guard index == start + 1 else { continue }
            index = taken.next(after: start, of: path()) { folder.status(of: partName(candidates, $0)) != nil }
        }
        throw FileCandidates.exhausted(folder.path(of: request.name))
    }

    /// Up to as many as are on their way at once, each part gets the next free name, whoever went before.
    ///
    /// Where more are kept, of tasks that wait, those that were taken before are not tried one by one.
    private static let fewParts = 64

    static func partName(_ candidates: FileCandidates, _ index: Int) -> String { candidates[index] + ".part" }

    /// Opens and locks a part that was kept, if it still is the same file.
    ///
    /// - Returns: `nil` if it is not, or is in use.
    static func reopen(_ folder: Folder, _ part: PartLocation, for request: FileRequest) -> PartFile? {
        guard (0..<FileCandidates.limit).contains(part.index) else { return nil }
        let candidates = FileCandidates(part.name)
        let partName = partName(candidates, part.index)
        guard let descriptor = lockedLeftover(partName, in: folder) else { return nil }
        let file = PartFile(folder, candidates, part.index, partName, descriptor, request)
        guard let identity = file.identity, identity.inode == part.inode, identity.born == part.born else {
            close(descriptor)
            return nil
        }
        return file
    }

    /// What tells the file from a later one of its name.
    var identity: (inode: UInt64, born: Int64)? { Self.identity(of: descriptor) }

    private static func identity(of descriptor: Int32) -> (inode: UInt64, born: Int64)? {
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else { return nil }
        return (UInt64(status.st_ino), sluice_birth_time(descriptor))
    }

    /// Whether its name still leads to it: somebody may have put another file there, which a rename would publish.
    var isInPlace: Bool {
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0, let named = folder.status(of: partName) else { return false }
        return status.st_ino == named.st_ino && status.st_dev == named.st_dev
    }

    /// Removes it from its folder, unless somebody put another file in its place.
    func remove() {
        if isInPlace { unsafe unlinkat(folder.descriptor, partName, 0) }
    }

    /// In bytes, as the system has it.
    var size: Int? {
        var status = stat()
        return unsafe fstat(descriptor, &status) == 0 ? Int(status.st_size) : nil
    }

    /// Reads bytes that are in the file; fewer if it ends before.
    func read(_ count: Int, at offset: Int) -> [UInt8] { FileBytes.read(descriptor, count, at: offset) }

    /// Makes a file under a name that nothing has, and locks it.
    ///
    /// - Returns: `nil` if the name is taken.
    private static func make(_ name: String, in folder: Folder) throws(DownloadError) -> Int32? {
        let flags = O_RDWR | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK | O_CREAT | O_EXCL
        let descriptor = unsafe openat(folder.descriptor, name, flags, 0o666)
        guard descriptor >= 0 else {
            if errno == EEXIST { return nil }
            throw FileError.error(errno, "create", folder.path(of: name))
        }
        // A file system without locks leaves the new file to us: its name was taken exclusively.
        let isOurs = flock(descriptor, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK
        // Before the lock, another process may have taken it for a leftover, and put its own in its place: a rename
        // would then publish what that one has so far.
        if isOurs, isLinked(descriptor) { return descriptor }
        close(descriptor)
        return nil
    }

    private static func isLinked(_ descriptor: Int32) -> Bool {
        var status = stat()
        return unsafe fstat(descriptor, &status) == 0 && status.st_nlink > 0
    }

    /// Opens and locks what an earlier transfer left.
    ///
    /// - Returns: `nil` if there is nothing of ours, or somebody is at it.
    private static func lockedLeftover(_ name: String, in folder: Folder) -> Int32? {
        let descriptor = unsafe openat(folder.descriptor, name, O_RDWR | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { return nil }
        if flock(descriptor, LOCK_EX | LOCK_NB) == 0, isLeftover(descriptor, name, folder) { return descriptor }
        close(descriptor)
        return nil
    }

    /// Whether a locked file that was there already is an abandoned part.
    ///
    /// Between opening and locking, its owner may have finished and renamed it: then the
    /// name leads elsewhere. Who made an empty one this very moment finds it locked, and
    /// takes another name.
    private static func isLeftover(_ descriptor: Int32, _ name: String, _ folder: Folder) -> Bool {
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0, let named = folder.status(of: name) else { return false }
        return status.st_mode & S_IFMT == S_IFREG && status.st_nlink == 1 && status.st_uid == geteuid()
            && status.st_ino == named.st_ino && status.st_dev == named.st_dev
    }

    /// Takes the final name in one step, or a later one if it is taken.
    ///
    /// - Parameters:
    ///   - publication: Which names are tried.
    ///   - taken: What was found taken before, to begin behind that.
    /// - Returns: The file as it is now.
    /// - Throws: `ioError`, `diskFull`.
    func rename(as publication: FilePublication, _ taken: inout TakenNames) throws(DownloadError) -> SavedFile {
        var names = candidates
        var first = index
        if case .bad = publication {
            names = FileCandidates(candidates[index] + ".bad")
            first = 0
        } else if let name = replaceableName(publication) {
            if leavesEqual, let equal = equalFile(name) { return try leave(equal) }
            if let newer = newer(name) { return try leave(newer) }
            let renamed = unsafe renameat(folder.descriptor, partName, folder.descriptor, name)
            guard renamed == 0 else { throw FileError.error(errno, "rename", folder.path(of: partName)) }
            return try saved(as: name)
        }
        // What had the names before it may have died without a file.
        if wasReopened, let free = (0..<min(first, Self.fewParts)).first(where: isFree) { first = free }
        let path = folder.path(of: names[0])
        // The first is tried in any case: what took it may be gone.
        var index = first
        while index < FileCandidates.limit {
            let name = names[index]
            if renameNew(to: name) == 0 {
                if index > first { taken.note(index, from: first, of: path) }
                return try saved(as: name)
            }
            guard errno == EEXIST else { throw FileError.error(errno, "rename", folder.path(of: partName)) }
            let isFirst = index == first
            index += 1
            if isFirst { index = taken.next(after: first, of: path) { folder.status(of: names[$0]) != nil } }
        }
        throw FileCandidates.exhausted(folder.path(of: candidates[0]))
    }

    /// What the whole body is to be compared with on another thread, which takes as long as it is large.
    func twin() -> FileTwin? {
        guard leavesEqual, let name = replaceableName(.final) else { return nil }
        compared = FileTwin(folder: folder, name: name)
        return compared
    }

    /// What has a name, if it has the bytes of the body, and its time.
    private func equalFile(_ name: String) -> SavedFile? {
        guard (compared?.name).hasSameBytes(as: name) else {
            return folder.file(name, equalTo: descriptor, isDated: isDated)
        }
        guard let equal, folder.holds(equal, as: name),
            FileStatus(name, in: folder.descriptor)?.isSame(as: equal) == true
        else { return nil }
        return !isDated || FileStatus(descriptor)?.modified == equal.modified ? equal : nil
    }

    /// Whether nothing has a name, nor is on its way to it; an empty part that nobody holds goes.
    private func isFree(_ index: Int) -> Bool {
        guard folder.status(of: candidates[index]) == nil else { return false }
        let partName = Self.partName(candidates, index)
        if folder.status(of: partName) == nil { return true }
        guard let leftover = Self.lockedLeftover(partName, in: folder) else { return false }
        defer { close(leftover) }
        return FileStatus(leftover)?.size == 0 ? unsafe unlinkat(folder.descriptor, partName, 0) == 0 : false
    }

    /// Removes the part, since a file has the body already.
    private func leave(_ file: SavedFile) throws(DownloadError) -> SavedFile {
        guard unsafe unlinkat(folder.descriptor, partName, 0) == 0 else {
            throw FileError.error(errno, "delete", folder.path(of: partName))
        }
        return file
    }

    /// What has the final name, if it holds the same resource and was made after the body came from the origin.
    private func newer(_ name: String) -> SavedFile? {
        guard let arrived, sameResource.contains(where: { folder.holds($0, as: name) }),
            let status = FileStatus(name, in: folder.descriptor), status.identity.born / 1_000_000 > arrived
        else { return nil }
        return status.saved(folder.path(of: name))
    }

    /// Sets the time of the body, before it gets its name.
    func setModified(_ modified: timespec?) {
        guard let modified else { return }
        isDated = true
        Self.setModified(modified, of: descriptor)
    }

    /// Sets the time of a file; one that keeps no times is no cause to lose the body.
    static func setModified(_ modified: timespec, of descriptor: Int32) {
        let times = [timespec(tv_sec: 0, tv_nsec: sluice_time_omit), modified]
        _ = unsafe futimens(descriptor, times)
    }

    /// Renames unless the new name exists, also where the file system can't do that in one call.
    private func renameNew(to name: String) -> Int32 {
        let result = unsafe sluice_rename_new(folder.descriptor, partName, name)
        guard result != 0, errno == EINVAL || errno == ENOSYS else { return result }
        guard unsafe linkat(folder.descriptor, partName, folder.descriptor, name, 0) == 0 else { return -1 }
        return unsafe unlinkat(folder.descriptor, partName, 0)
    }

    /// What the finished file is, to recognise it later.
    private func saved(as name: String) throws(DownloadError) -> SavedFile {
        guard let status = FileStatus(descriptor) else {
            throw FileError.error(errno, "read", folder.path(of: name))
        }
        return status.saved(folder.path(of: name))
    }

    /// The name of what may be replaced, if there is any.
    ///
    /// That of the URL's own earlier file counts, also where another part was in the way of it when this one was made.
    private func replaceableName(_ publication: FilePublication) -> String? {
        // A second name is not the one that was asked for: nobody meant what stands there.
        if onExists == .overwrite, index == 0, publication == .final { return candidates[0] }
        if replaces.isEmpty { return nil }
        let name = candidates[index]
        if replaces.own.contains(where: { folder.holds($0, as: name) }) { return name }
        var request = FileRequest(name: candidates[0], onExists: onExists)
        request.replaces = replaces
        return folder.knownIndex(for: request).map { candidates[$0] }
    }

    /// The name that it would get as things stand; looked for once, since it is only shown.
    private(set) lazy var likelyName: String = {
        if let name = replaceableName(.final) { return name }
        let free = (index..<index + Self.fewParts).first { folder.status(of: candidates[$0]) == nil }
        return candidates[free ?? index]
    }()
}

extension stat {
    /// Nanoseconds since 1970.
    var modified: Int64 { FileStatus.nanoseconds(Int64(st_mtim.tv_sec), Int64(st_mtim.tv_nsec)) }

    /// Whether it is a plain file as it was saved.
    func isSame(as saved: SavedFile) -> Bool {
        st_mode & S_IFMT == S_IFREG && Int(st_size) == saved.size && modified == saved.modified
    }
}
