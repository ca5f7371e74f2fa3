import CLinux
import Glibc
import SluiceSystem

/// A locked file that says that the process of a session lives.
///
/// Process numbers are used again; a lock goes with its process, whatever ends it.
final class SessionLock {
    /// Of the file, in the folder of the state.
    let name: String
    private let folder: String
    private let lock: HeldLock

    /// Makes and locks a file of a name that nobody else has.
    init(in folder: String) throws(DatabaseError) {
        let name = "session-\(getpid())-\(RealTimeClock.nanosecondsSince1970()).lock"
        let descriptor = unsafe open(folder + "/" + name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw .unavailable("can't make \(folder)/\(name)") }
        // Nobody else knows of it yet, so that only a file system without locks refuses.
        _ = flock(descriptor, LOCK_EX | LOCK_NB)
        (self.name, self.folder, lock) = (name, folder, HeldLock(descriptor))
    }

    /// Whether others still find it.
    var isThere: Bool { unsafe access(folder + "/" + name, F_OK) == 0 }

    /// Removes the file; the session is over.
    func remove() { unsafe unlink(folder + "/" + name) }

    /// Whether the process of another session is gone; its file goes with it.
    ///
    /// A name that no session has may lead anywhere: nobody holds it, and nothing is touched.
    static func isAbandoned(_ name: String, in folder: String) -> Bool {
        guard name.hasPrefix("session-"), !name.contains("/") else { return true }
        let path = folder + "/" + name
        let descriptor = unsafe open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 else { return errno == ENOENT }
        defer { close(descriptor) }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else { return false }
        unsafe unlink(path)
        return true
    }
}
