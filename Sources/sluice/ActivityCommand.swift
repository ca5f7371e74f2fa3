internal import CLinux
internal import Glibc
internal import SluiceCore
internal import SluicePipeline

/// Runs a command of the user's with `1` when the activity indicator shows, and with `0` when it hides.
///
/// One at a time and in order, on a thread of its own: a slow command holds up nothing but the
/// next one, and of changes that it missed only the latest is told.
final class ActivityCommand: Sendable {
    private struct State {
        var wanted = false
        var told = false
        var isRunning = false
    }

    private let command: String
    private let pool = BlockingPool(threads: 1)
    private let state = Locked(State())
    /// Rings when nothing is left to tell.
    private let bell = eventfd(0, Int32(EFD_CLOEXEC))

    /// - Parameter command: For `/bin/sh`; it finds `1` or `0` behind it.
    init(_ command: String) {
        precondition(bell >= 0, "out of file descriptors at start-up")
        self.command = command
    }

    deinit { CLinux.close(bell) }

    var listener: EventListener {
        EventListener(.session) { [self] event in
            guard case .indicatorChanged(_, let to, _) = event.kind else { return }
            tell(to.isVisible)
        }
    }

    /// Tells that the indicator is hidden, if the last word was another, and gives the command a moment to end.
    func close() {
        tell(false)
        while state.withLock({ $0.isRunning }) {
            var watched = pollfd(fd: bell, events: Int16(POLLIN), revents: 0)
            guard unsafe poll(&watched, 1, 500) > 0 else { return }
            var rings: eventfd_t = 0
            _ = unsafe eventfd_read(bell, &rings)
        }
    }

    private func tell(_ isVisible: Bool) {
        let mustStart = state.withLock { state in
            state.wanted = isVisible
            guard !state.isRunning, state.wanted != state.told else { return false }
            state.isRunning = true
            return true
        }
        if mustStart { pool.add(.normal) { [self] in serve() } }
    }

    private func serve() {
        while let word = next() { run(word ? "1" : "0") }
        eventfd_write(bell, 1)
    }

    private func next() -> Bool? {
        state.withLock { state in
            guard state.wanted != state.told else {
                state.isRunning = false
                return nil
            }
            state.told = state.wanted
            return state.told
        }
    }

    /// Its output goes nowhere: the screen is the dashboard's.
    private func run(_ word: String) {
        var actions = unsafe posix_spawn_file_actions_t()
        unsafe posix_spawn_file_actions_init(&actions)
        defer { unsafe posix_spawn_file_actions_destroy(&actions) }
        for descriptor in 0...2 as ClosedRange<Int32> {
            unsafe posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/null", O_RDWR, 0)
        }
        var attributes = posix_spawnattr_t()
        unsafe posix_spawnattr_init(&attributes)
        defer { unsafe posix_spawnattr_destroy(&attributes) }
        // Signals are blocked here, and those of pipes and of files' sizes ignored: none of that is for the command.
        var none = sigset_t()
        unsafe sigemptyset(&none)
        var usual = sigset_t()
        unsafe sigemptyset(&usual)
        unsafe sigaddset(&usual, SIGPIPE)
        unsafe sigaddset(&usual, SIGXFSZ)
        unsafe posix_spawnattr_setsigmask(&attributes, &none)
        unsafe posix_spawnattr_setsigdefault(&attributes, &usual)
        let flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF
        unsafe posix_spawnattr_setflags(&attributes, Int16(flags))
        let words = ["/bin/sh", "-c", command + " \"$1\"", "sluice", word]
        var arguments = unsafe words.map { unsafe strdup($0) } + [nil]
        defer { for index in unsafe arguments.indices { unsafe free(arguments[index]) } }
        var child: pid_t = 0
        guard unsafe posix_spawn(&child, "/bin/sh", &actions, &attributes, &arguments, environ) == 0 else { return }
        var status: Int32 = 0
        while unsafe waitpid(child, &status, 0) < 0, errno == EINTR {}
    }
}
