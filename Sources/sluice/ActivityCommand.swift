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

    private func run(_ word: String) {
        // What can't be started is not told again: the next change is tried as this one was.
        let process = try? DetachedProcess(["/bin/sh", "-c", command + " \"$1\"", "sluice", word])
        process?.wait()
    }
}
