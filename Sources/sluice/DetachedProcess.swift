internal import CLinux
internal import Glibc

/// A program that has nothing to do with the terminal of this one: it is in a session of its own, reads nothing, writes
/// nowhere, and no signal is blocked or ignored for it.
struct DetachedProcess {
    /// Why none was started.
    struct Failure: Error {
        fileprivate let code: Int32

        /// As the system says it.
        var message: String { unsafe String(cString: strerror(code)) }

        /// Whether there is no such program.
        var isMissing: Bool { code == ENOENT }
    }

    private let identifier: pid_t

    /// Starts it, without a shell: no word means anything but itself.
    ///
    /// - Parameter words: The program, which is looked for in `PATH` if it has no slash, and its arguments.
    /// - Throws: What the system says against it.
    init(_ words: [String]) throws(Failure) {
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
        // Libraries open some without asking that they be closed: a connection would stay as long as the child.
        unsafe sluice_spawn_without_descriptors(&actions)
        unsafe sluice_spawn_afresh(&attributes)
        let arguments = unsafe words.map { unsafe strdup($0) } + [nil]
        defer { for index in unsafe arguments.indices { unsafe free(arguments[index]) } }
        var child = pid_t()
        let error = unsafe posix_spawnp(&child, words[0], &actions, &attributes, arguments, environ)
        if error != 0 { throw Failure(code: error) }
        identifier = child
    }

    /// Waits for its end, so that nothing is left of it; once, on a thread that has the time.
    func wait() {
        var status: Int32 = 0
        while unsafe waitpid(identifier, &status, 0) < 0, errno == EINTR {}
    }
}
