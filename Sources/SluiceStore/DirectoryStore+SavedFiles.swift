import CLinux
import Glibc
public import SluiceCore
import SluiceSystem

/// What is done with files that have their names.
extension DirectoryStore {
    /// Looks at the file itself: a link in its place is another one.
    public func isIntact(_ file: SavedFile) -> Bool {
        FileStatus(file.path, in: AT_FDCWD)?.isSame(as: file) == true
    }

    /// One look at each name.
    public func secondName(of stored: SavedFile, at saved: SavedFile) -> SavedFile? {
        guard let one = FileStatus(stored.path, in: AT_FDCWD), one.isSame(as: stored),
            let other = FileStatus(saved.path, in: AT_FDCWD), other.isSame(as: saved), one.identity == other.identity
        else { return nil }
        return other.saved(saved.path)
    }

    /// Made here, run on a thread of the pool: a link of the file system where it can, else a copy.
    public func copier(
        of saved: SavedFile,
        to request: FileRequest
    ) -> @Sendable () -> Result<SavedFile, DownloadError> {
        do throws(DownloadError) {
            try lookForDestination()
        } catch {
            return { .failure(error) }
        }
        let copy = SavedCopy(of: saved, to: request, below: destination, syncs: syncs, unlock: unlocking)
        return { Result { () throws(DownloadError) in try copy.make() } }
    }

    /// Looks once more, right before it deletes, whether it is still what was saved.
    public func remover(of saved: SavedFile) -> @Sendable () -> DownloadError? {
        { FileRemoval.remove(saved) }
    }
}
