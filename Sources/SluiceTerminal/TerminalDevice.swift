internal import CLinux
internal import Glibc

/// The terminal of the process: where keys come from and pictures go.
///
/// Standard input and output where they are terminals, else `/dev/tty`, so that either
/// can be a pipe. Never changes the descriptors' flags: they are shared with the
/// shell that started the process.
struct TerminalDevice: ~Copyable {
    enum Input {
        case bytes(Int)
        case none
        /// Hung up; it never comes back.
        case gone
    }

    let input: Int32
    let output: Int32
    private let opened: Int32?

    /// - Returns: `nil` if the process has no terminal.
    init?() {
        let (hasInput, hasOutput) = (isatty(STDIN_FILENO) == 1, isatty(STDOUT_FILENO) == 1)
        var own: Int32?
        if !hasInput || !hasOutput {
            let descriptor = unsafe open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY)
            guard descriptor >= 0 else { return nil }
            own = descriptor
        }
        opened = own
        input = hasInput ? STDIN_FILENO : own ?? STDIN_FILENO
        output = hasOutput ? STDOUT_FILENO : own ?? STDOUT_FILENO
    }

    deinit { if let opened { close(opened) } }

    /// More than any screen has; ncurses counts cells with 16 bits, and crashes behind them.
    private static let mostCells = 4_096

    /// In cells, at most ``mostCells`` each; `nil` if the terminal does not tell.
    var size: (width: Int, height: Int)? {
        var size = winsize()
        guard unsafe sluice_get_window_size(output, &size) == 0, size.ws_col > 0, size.ws_row > 0 else { return nil }
        return (min(Int(size.ws_col), Self.mostCells), min(Int(size.ws_row), Self.mostCells))
    }

    /// Bytes that were written and that the terminal has not taken.
    var unsent: Int { Int(sluice_unsent(output)) }

    /// Reads what is there; never waits.
    func read(into buffer: UnsafeMutableRawBufferPointer) -> Input {
        var ready = pollfd(fd: input, events: Int16(POLLIN), revents: 0)
        guard unsafe poll(&ready, 1, 0) > 0 else { return .none }
        let count = unsafe Glibc.read(input, buffer.baseAddress, buffer.count)
        if count > 0 { return .bytes(count) }
        return count < 0 && (errno == EINTR || errno == EAGAIN) ? .none : .gone
    }

    /// Writes everything, unless the terminal is gone.
    func write(_ bytes: [UInt8]) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = unsafe rest.withUnsafeBytes { unsafe Glibc.write(output, $0.baseAddress, $0.count) }
            if count > 0 {
                rest = rest.dropFirst(count)
            } else if errno == EAGAIN {
                var ready = pollfd(fd: output, events: Int16(POLLOUT), revents: 0)
                let count = unsafe poll(&ready, 1, 1_000)
                // A signal, such as that of a resize, must not cut off what is under way.
                if count < 0, errno == EINTR { continue }
                guard count > 0, ready.revents == Int16(POLLOUT) else { return }
            } else if errno != EINTR {
                return
            }
        }
    }
}
