import CLinux
import Glibc
import SluiceCore
import SluiceSystem

/// A new file in the file system of a folder that has no name and no bytes yet.
///
/// Nobody else sees it, so it needs no lock, and it goes with the process. Whoever has it closes it.
/// Source: `O_TMPFILE` of open(2).
struct UnnamedFile: Sendable {
    /// How long one may lie ready.
    ///
    /// What it becomes must not look older than a body that came before. Times of files come from a clock that ticks as
    /// slowly.
    private static let patience = Duration.milliseconds(4)

    let folder: Folder
    let descriptor: Int32
    private let made: Timestamp

    /// Makes one; `nil` where the file system has no such files, or no room for one.
    init?(in folder: Folder) {
        descriptor = sluice_open_unnamed(folder.descriptor)
        guard descriptor >= 0 else { return nil }
        (self.folder, made) = (folder, MonotonicClock.now())
    }

    /// Whether it may still become a file of a folder.
    func isGood(for folder: Folder) -> Bool {
        self.folder === folder && MonotonicClock.now() - made <= Self.patience
    }
}
