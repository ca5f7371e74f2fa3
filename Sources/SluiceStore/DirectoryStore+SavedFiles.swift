import CLinux
import Glibc
public import SluiceCore

/// What is done with files that have their names.
extension DirectoryStore {
    public func isIntact(_ file: SavedFile) -> Bool {
        var status = stat()
        return unsafe lstat(file.path, &status) == 0 && status.isSame(as: file)
    }

    public func copier(
        of saved: SavedFile,
        to request: FileRequest
    ) -> @Sendable () -> Result<SavedFile, DownloadError> {
        let copy = SavedCopy(of: saved, to: request, below: destination, syncs: syncs, settle: settling)
        return { Result { () throws(DownloadError) in try copy.make() } }
    }

    public func remover(of saved: SavedFile) -> @Sendable () -> DownloadError? {
        { FileRemoval.remove(saved) }
    }
}
