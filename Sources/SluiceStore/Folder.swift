import CLinux
import Glibc
import SluiceCore
import SluiceSystem

/// An open folder: every name in it is reached from here, and through no symbolic link.
///
/// A class because a file being written keeps its folder open; closed with the last one.
/// Never changes, so the writer thread may use it too.
final class Folder: Sendable {
    /// Absolute, for sentences and for ``SavedFile``.
    let path: String
    let descriptor: Int32

    private init(path: String, descriptor: Int32) { (self.path, self.descriptor) = (path, descriptor) }

    deinit { close(descriptor) }

    /// Opens the destination directory, made if missing; the user chose it, so links on the way are fine.
    static func destination(_ path: String) throws(DownloadError) -> Folder {
        let descriptor = try open(path)
        guard let resolved = unsafe realpath(path, nil) else {
            let number = errno
            close(descriptor)
            throw FileError.error(number, "open", path)
        }
        defer { unsafe free(resolved) }
        return unsafe Folder(path: String(cString: resolved), descriptor: descriptor)
    }

    /// Whether its path still leads to it: it may have been removed, moved, or another one put into its place.
    var isAtItsPath: Bool {
        var (here, there) = (stat(), stat())
        guard unsafe fstat(descriptor, &here) == 0, unsafe fstatat(AT_FDCWD, path, &there, 0) == 0 else { return false }
        return here.st_dev == there.st_dev && here.st_ino == there.st_ino
    }

    /// Opens what its path leads to now, made if nothing does; what the user put there is fine, a link too.
    func openedAgain() throws(DownloadError) -> Folder {
        Folder(path: path, descriptor: try Folder.open(path))
    }

    /// - Returns: A descriptor of the folder, made if missing.
    private static func open(_ path: String) throws(DownloadError) -> Int32 {
        let made = FolderPath.make(path, for: .everybody)
        let flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC
        return try FileError.check("open", path, made: made) { unsafe Glibc.open(path, flags) }
    }

    /// Opens a folder below, part by part, each made if missing.
    ///
    /// - Throws: `ioError` if the path is absolute, leads upwards, or through a symbolic link.
    func below(_ relative: String) throws(DownloadError) -> Folder {
        var folder = self
        for part in DestinationPath.parts(of: relative[...]) {
            if part.isEmpty || part == "." || part == ".." {
                throw DownloadError(.ioError, "the folder \(relative) is not below \(path): use a relative one")
            }
            folder = try folder.child(String(part))
        }
        return folder
    }

    /// Opens the folder of a new file: below this one, unless the user named another.
    ///
    /// - Throws: `ioError`, also if the file's name is none.
    func folder(of request: FileRequest) throws(DownloadError) -> Folder {
        let name = request.name
        guard !name.isEmpty, !name.utf8.contains(UInt8(ascii: "/")), name != ".", name != ".." else {
            throw DownloadError(.ioError, "\(name) is no file name")
        }
        let base = try request.directory.map { path throws(DownloadError) in try Folder.destination(path) } ?? self
        return try request.folder.map { path throws(DownloadError) in try base.below(path) } ?? base
    }

    /// In bytes; `nil` if the system does not say.
    var freeSpace: Int? {
        var space = statvfs()
        guard unsafe fstatvfs(descriptor, &space) == 0 else { return nil }
        let (free, isOver) = Int(clamping: space.f_bavail).multipliedReportingOverflow(
            by: Int(clamping: space.f_frsize)
        )
        return isOver ? .max : free
    }

    /// Refuses a large file that has no room, before its first byte.
    ///
    /// - Throws: `diskFull`.
    func checkSpace(for request: FileRequest) throws(DownloadError) {
        guard let expected = request.expected, expected > FileRequest.smallSize, let free = freeSpace, free < expected
        else {
            return
        }
        throw DownloadError(
            .diskFull,
            "\(request.name) needs \(expected) bytes, and \(path) has \(free) left: make room, then resume"
        )
    }

    func path(of name: String) -> String { path == "/" ? "/\(name)" : "\(path)/\(name)" }

    /// What a name stands for, links not followed; `nil` if it stands for nothing.
    func status(of name: String) -> stat? {
        var status = stat()
        return unsafe fstatat(descriptor, name, &status, AT_SYMLINK_NOFOLLOW) == 0 ? status : nil
    }

    private func child(_ name: String) throws(DownloadError) -> Folder {
        let flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC
        var opened = unsafe openat(descriptor, name, flags)
        if opened < 0, errno == ENOENT {
            // Somebody else may make it at the same time; opening it tells.
            let made = unsafe mkdirat(descriptor, name, 0o777) == 0 ? 0 : errno
            opened = unsafe openat(descriptor, name, flags)
            if opened < 0, made != 0, made != EEXIST { throw FileError.error(made, "make", path(of: name)) }
        }
        guard opened >= 0 else { throw FileError.error(errno, "open", path(of: name)) }
        return Folder(path: path(of: name), descriptor: opened)
    }
}
