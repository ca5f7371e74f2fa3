import CLinux
import Glibc
import SluiceCore

/// A body on its way: `name.part`, open and locked, and the names that it may get.
///
/// Owns the descriptor and says what was done with it; the store decides what happens.
/// A class because it changes in place at every chunk. Confined to the store's thread.
final class PartFile {
    /// How long an empty part is taken for one that its owner is about to lock.
    private static let freshSeconds = 5

    let folder: Folder
    let candidates: FileCandidates
    /// Of the name that the part file goes with; the final name is this one or a later one.
    let index: Int
    let partName: String
    let descriptor: Int32
    let onExists: OnExists
    /// What may be replaced under that name.
    let replaces: SavedFile?
    /// Bytes that came, those in ``block`` included.
    var byteCount = 0
    /// Bytes that collect until they are a block; empty as long as chunks are written at once.
    var block: [UInt8] = []
    /// Whether the writer thread got something to do for it, and so must close it too.
    var isWithWriter = false

    private init(
        _ folder: Folder,
        _ candidates: FileCandidates,
        _ index: Int,
        _ partName: String,
        _ descriptor: Int32,
        _ request: FileRequest
    ) {
        (self.folder, self.candidates, self.index) = (folder, candidates, index)
        (self.partName, self.descriptor) = (partName, descriptor)
        (onExists, replaces) = (request.onExists, request.replaces)
    }

    /// Bytes that were handed to the system or to the writer.
    var offset: Int { byteCount - block.count }

    /// Opens and locks the part file of one candidate.
    ///
    /// A leftover is used again from its start. What is locked by somebody else, or is no
    /// plain file of one name, counts as a taken name.
    ///
    /// - Returns: `nil` if the name is taken.
    static func open(
        _ folder: Folder,
        _ candidates: FileCandidates,
        _ index: Int,
        for request: FileRequest
    ) throws(DownloadError) -> PartFile? {
        let partName = candidates[index] + ".part"
        let flags = O_RDWR | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK
        var descriptor = unsafe openat(folder.descriptor, partName, flags | O_CREAT | O_EXCL, 0o666)
        let isNew = descriptor >= 0
        if !isNew {
            guard errno == EEXIST else { throw FileError.error(errno, "create", folder.path(of: partName)) }
            descriptor = unsafe openat(folder.descriptor, partName, flags)
            if descriptor < 0 { return nil }
        }
        // A file system without locks leaves the new file to us: its name was taken exclusively.
        let isLocked = flock(descriptor, LOCK_EX | LOCK_NB) == 0
        guard isLocked || (isNew && errno != EWOULDBLOCK), isNew || isLeftover(descriptor, partName, folder),
            isNew || ftruncate(descriptor, 0) == 0
        else {
            close(descriptor)
            return nil
        }
        return PartFile(folder, candidates, index, partName, descriptor, request)
    }

    /// Whether a locked file that was there already is an abandoned part.
    ///
    /// Between opening and locking, its owner may have finished and renamed it: then the
    /// name leads elsewhere. And an empty one may have been made this very moment by
    /// somebody who is about to lock it, which a look at the clock tells.
    private static func isLeftover(_ descriptor: Int32, _ name: String, _ folder: Folder) -> Bool {
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0, let named = folder.status(of: name) else { return false }
        let isFresh = status.st_size == 0 && abs(time(nil) - status.st_ctim.tv_sec) < freshSeconds
        return status.st_mode & S_IFMT == S_IFREG && status.st_nlink == 1 && status.st_ino == named.st_ino
            && status.st_dev == named.st_dev && !isFresh
    }

    /// Takes the final name in one step, or a later one if it is taken.
    ///
    /// - Parameters:
    ///   - publication: Which names are tried.
    ///   - taken: Remembers, by path, how many candidates of a name were found taken, lest each of a
    ///     thousand files of one name tries all before it.
    /// - Returns: The name.
    /// - Throws: `ioError`, `diskFull`.
    func rename(as publication: FilePublication, _ taken: inout [String: Int]) throws(DownloadError) -> String {
        var names = candidates
        var first = index
        if case .bad = publication {
            names = FileCandidates(candidates[index] + ".bad")
            first = 0
        } else if mayReplace {
            let name = candidates[index]
            let renamed = unsafe renameat(folder.descriptor, partName, folder.descriptor, name)
            guard renamed == 0 else { throw FileError.error(errno, "rename", folder.path(of: partName)) }
            return name
        }
        let path = folder.path(of: names[0])
        let known = taken[path] ?? 0
        let start = max(first, known)
        for index in start..<FileCandidates.limit {
            let name = names[index]
            if renameNew(to: name) == 0 {
                // A start further on says nothing of the names before it.
                if index > 0, start == known { taken[path] = index + 1 }
                return name
            }
            guard errno == EEXIST else { throw FileError.error(errno, "rename", folder.path(of: partName)) }
        }
        throw DownloadError(
            .ioError,
            "too many files like \(folder.path(of: candidates[0])): tidy up or choose a folder"
        )
    }

    /// Renames unless the new name exists, also where the file system can't do that in one call.
    private func renameNew(to name: String) -> Int32 {
        let result = unsafe sluice_rename_new(folder.descriptor, partName, name)
        guard result != 0, errno == EINVAL || errno == ENOSYS else { return result }
        guard unsafe linkat(folder.descriptor, partName, folder.descriptor, name, 0) == 0 else { return -1 }
        return unsafe unlinkat(folder.descriptor, partName, 0)
    }

    /// What the finished file is, to recognise it later.
    func saved(as name: String) throws(DownloadError) -> SavedFile {
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else {
            throw FileError.error(errno, "read", folder.path(of: name))
        }
        return SavedFile(path: folder.path(of: name), size: Int(status.st_size), modified: status.modified)
    }

    /// Whether what has the final name now may go: the user wants it, or it is this URL's own older body.
    private var mayReplace: Bool {
        if onExists == .overwrite { return true }
        guard let replaces else { return false }
        let name = candidates[index]
        return folder.path(of: name) == replaces.path && folder.status(of: name)?.isSame(as: replaces) ?? false
    }
}

extension stat {
    /// Nanoseconds since 1970.
    var modified: Int64 {
        // A server may date a file beyond what 64 bits count.
        let (seconds, isOver) = Int64(st_mtim.tv_sec).multipliedReportingOverflow(by: 1_000_000_000)
        return isOver ? (st_mtim.tv_sec < 0 ? .min : .max) : seconds + Int64(st_mtim.tv_nsec)
    }

    /// Whether it is a plain file as it was saved.
    func isSame(as saved: SavedFile) -> Bool {
        st_mode & S_IFMT == S_IFREG && Int(st_size) == saved.size && modified == saved.modified
    }
}
