internal import CLinux
internal import Glibc

/// A socket with a path on which the owner's programs connect; the path goes with ``close()``.
///
/// Replaces what a dead process left, and refuses the path of a live one and of what is no
/// socket. Two processes that want one path at the same time don't get both: the path is
/// locked by a file beside it while it is taken.
struct ListeningSocket: Sendable {
    let path: String
    let descriptor: Int32
    private let device: UInt
    private let inode: UInt

    init(path: String) throws(ControlSocketError) {
        self.path = path
        let lock = try Self.lock(path, waits: true)
        defer { Self.unlock(path, lock) }
        try Self.removeStale(path)
        let listener = unsafe sluice_unix_listen(path, 1024)
        guard listener >= 0 else { throw Self.failure("can't listen on", path) }
        var status = stat()
        guard unsafe lstat(path, &status) == 0 else {
            defer { Glibc.close(listener) }
            throw Self.failure("can't listen on", path)
        }
        descriptor = listener
        (device, inode) = (UInt(status.st_dev), UInt(status.st_ino))
        sluice_set_nonblocking(descriptor)
    }

    /// Stops listening, and removes the path unless somebody put another file there.
    func close() {
        // It listens meanwhile: else another Sluice could take the path for dead, and lose its own to this.
        defer { Glibc.close(descriptor) }
        var status = stat()
        guard unsafe lstat(path, &status) == 0, UInt(status.st_dev) == device, UInt(status.st_ino) == inode else {
            return
        }
        unsafe unlink(path)
    }

    /// Removes a path behind which nobody listens, unless somebody is about to.
    static func removeDead(_ path: String) {
        do throws(ControlSocketError) {
            let lock = try lock(path, waits: false)
            defer { unlock(path, lock) }
            try removeStale(path)
        } catch {
            // Somebody has it: it is not dead.
            return
        }
    }

    /// - Parameters:
    ///   - what: That was tried, as in "can't make".
    ///   - path: To what.
    ///   - number: Why it failed; `errno` of the failed call.
    /// - Returns: All of it in a sentence.
    static func failure(_ what: String, _ path: String, _ number: Int32 = errno) -> ControlSocketError {
        if number == ENAMETOOLONG {
            return ControlSocketError("\(path): the path of a socket has at most 107 bytes; choose a shorter one")
        }
        return ControlSocketError("\(what) \(path): \(unsafe String(cString: strerror(number)))")
    }

    /// Of the file that is there while a path is taken; no other program's, which would be removed with it.
    private static func lockName(_ path: String) -> String { path + ".sluice-lock" }

    private static func unlock(_ path: String, _ lock: Int32) {
        unsafe unlink(lockName(path))
        Glibc.close(lock)
    }

    private static func lock(_ path: String, waits: Bool) throws(ControlSocketError) -> Int32 {
        while true {
            let name = lockName(path)
            let flags = O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK
            let descriptor = unsafe open(name, flags, 0o600)
            guard descriptor >= 0 else { throw failure("can't make a socket at", path) }
            guard isLock(descriptor) else {
                Glibc.close(descriptor)
                throw ControlSocketError("\(name) is there and is no lock of a socket; name another path, or remove it")
            }
            guard flock(descriptor, waits ? LOCK_EX : LOCK_EX | LOCK_NB) == 0 else {
                Glibc.close(descriptor)
                throw failure("can't lock", name)
            }
            var (opened, named) = (stat(), stat())
            // Whoever had the lock before removed the file: then this one locks nothing.
            if unsafe fstat(descriptor, &opened) == 0, unsafe stat(name, &named) == 0, opened.st_ino == named.st_ino {
                return descriptor
            }
            Glibc.close(descriptor)
        }
    }

    /// Whether a file is as a lock is: empty, plain, and its owner's.
    private static func isLock(_ descriptor: Int32) -> Bool {
        var status = stat()
        return unsafe fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFREG && status.st_size == 0
            && status.st_uid == geteuid()
    }

    private static func removeStale(_ path: String) throws(ControlSocketError) {
        var status = stat()
        guard unsafe lstat(path, &status) == 0 else { return }
        guard status.st_mode & S_IFMT == S_IFSOCK else {
            throw ControlSocketError("\(path) is there and is no socket; name another path, or remove it")
        }
        let connection = unsafe sluice_unix_connect(path)
        if connection >= 0 {
            Glibc.close(connection)
            throw ControlSocketError("another Sluice listens on \(path); end it, or name another path")
        }
        guard errno == ECONNREFUSED else { throw failure("can't look at", path) }
        unsafe unlink(path)
    }
}
