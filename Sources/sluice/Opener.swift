internal import CLinux
internal import Glibc
internal import SluiceCore
internal import SluicePipeline

/// Opens a file with what the desktop has for it.
///
/// Without a shell, so that no name means anything but itself; in a session of its own, so
/// that it outlives the dashboard and never writes on its terminal.
enum Opener {
    private static let program = "xdg-open"

    /// - Parameter path: Absolute.
    /// - Returns: Why it could not be started, or `nil`.
    static func open(_ path: String) -> String? {
        var actions = unsafe posix_spawn_file_actions_t()
        var attributes = posix_spawnattr_t()
        unsafe posix_spawn_file_actions_init(&actions)
        unsafe posix_spawnattr_init(&attributes)
        defer {
            unsafe posix_spawn_file_actions_destroy(&actions)
            unsafe posix_spawnattr_destroy(&attributes)
        }
        for descriptor in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO] {
            unsafe posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/null", O_RDWR, 0)
        }
        unsafe sluice_spawn_afresh(&attributes)
        var process = pid_t()
        let (name, file) = unsafe (strdup(program), strdup(path))
        defer {
            unsafe free(name)
            unsafe free(file)
        }
        let arguments = unsafe [name, file, nil]
        let error = unsafe posix_spawnp(&process, program, &actions, &attributes, arguments, environ)
        guard error == 0 else {
            return "can't open it: \(program): \(unsafe String(cString: strerror(error)))"
        }
        // A thread of its own: the program may run for hours, and must not stay a zombie after.
        let child = process
        let waiter = BlockingPool(threads: 1)
        waiter.add(.normal) {
            var status: Int32 = 0
            while unsafe waitpid(child, &status, 0) < 0, errno == EINTR {}
            waiter.close()
        }
        return nil
    }
}
