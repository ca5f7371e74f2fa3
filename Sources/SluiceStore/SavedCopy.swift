import CLinux
import Glibc
import SluiceCore
import SluiceSystem

/// A saved file that gets a second name, as a file of its own.
///
/// Made on any thread, and blocks it for as long as the bytes take; knows no store but what it was given. It is a
/// locked part like every other body until it is whole.
struct SavedCopy: Sendable {
    private let saved: SavedFile
    private let request: FileRequest
    private let destination: Folder
    private let syncs: Bool
    private let unlock: (@Sendable (String) -> Void)?

    /// - Parameters:
    ///   - saved: What is copied, if it still is what was saved.
    ///   - request: Under which name.
    ///   - destination: Where names without a folder of their own go.
    ///   - syncs: Whether it is synced to disk before it gets its name.
    ///   - unlock: See ``PartFile/first(_:for:from:_:unlock:)``.
    init(
        of saved: SavedFile,
        to request: FileRequest,
        below destination: Folder,
        syncs: Bool,
        unlock: (@Sendable (String) -> Void)?
    ) {
        (self.saved, self.request, self.destination) = (saved, request, destination)
        (self.syncs, self.unlock) = (syncs, unlock)
    }

    /// - Returns: The new file, with the time of the first; or the one that was there, if that may stay.
    /// - Throws: `ioError`, `diskFull`; nothing is left then.
    func make() throws(DownloadError) -> SavedFile {
        let source = try FileError.check("read", saved.path) {
            unsafe open(saved.path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        }
        defer { close(source) }
        var status = stat()
        guard unsafe fstat(source, &status) == 0, FileStatus(source)?.isSame(as: saved) == true else {
            throw changed
        }
        var request = request
        request.expected = saved.size
        let folder = try destination.folder(of: request)
        let known = folder.knownIndex(for: request)
        if request.leavesEqual, let known {
            let name = FileCandidates(request.name)[known]
            if let equal = folder.file(name, equalTo: source, isDated: true) { return equal }
        }
        try folder.checkSpace(for: request)
        if known == nil, request.onExists == .skip, folder.status(of: request.name) != nil { throw taken }
        var names = TakenNames()
        guard let file = try PartFile.first(folder, for: request, from: known ?? 0, &names, unlock: unlock) else {
            throw taken
        }
        defer { close(file.descriptor) }
        do throws(DownloadError) {
            let path = folder.path(of: file.partName)
            let count = try FileCopy.copy(from: source, to: file.descriptor, path)
            if count != saved.size { throw changed }
            file.setModified(status.st_mtim)
            if syncs, fdatasync(file.descriptor) != 0 { throw FileError.error(errno, "write", path) }
            return try file.rename(as: .final, &names)
        } catch {
            file.remove()
            throw error
        }
    }

    private var changed: DownloadError {
        DownloadError(.ioError, "\(saved.path) is not what was saved there any more: download it again")
    }

    private var taken: DownloadError {
        DownloadError(.ioError, "\(request.name) is there already, and onExists is skip")
    }
}
