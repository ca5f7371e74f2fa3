import CLinux
import Glibc
import SluiceCore
import SluiceSystem

/// Deletes what was saved, and nothing else: a file that was changed or replaced since stays.
///
/// May block; knows no store, so that any thread can call it.
enum FileRemoval {
    /// - Returns: Why the file is still there; `nil` if it is gone.
    static func remove(_ file: SavedFile) -> DownloadError? {
        guard let slash = file.path.utf8.lastIndex(of: UInt8(ascii: "/")) else {
            return DownloadError(.ioError, "\(file.path) is no saved file")
        }
        let folder = String(file.path[..<slash])
        let name = String(file.path[file.path.index(after: slash)...])
        let directory = unsafe open(folder.isEmpty ? "/" : folder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard directory >= 0 else { return FileError.error(errno, "delete", file.path) }
        defer { close(directory) }
        guard let status = FileStatus(name, in: directory) else {
            return FileError.error(errno, "delete", file.path)
        }
        guard status.isSame(as: file) else {
            return DownloadError(.ioError, "\(file.path) is not what was saved there any more, so it stays")
        }
        return unsafe unlinkat(directory, name, 0) == 0 ? nil : FileError.error(errno, "delete", file.path)
    }
}
