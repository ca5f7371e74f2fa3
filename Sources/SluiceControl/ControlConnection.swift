internal import CLinux
internal import Glibc
internal import SluiceCore
internal import SluiceSystem

/// A program's side of the control socket: sends lines and waits for lines.
///
/// Blocks its thread.
public final class ControlConnection {
    private let descriptor: Int32
    /// Where it is connected, as it was given.
    public let path: String
    private var received: [UInt8] = []
    private var searched = 0

    /// - Throws: If nobody listens there.
    public init(path: String) throws(ControlSocketError) {
        self.path = path
        descriptor = unsafe sluice_unix_connect(path)
        guard descriptor >= 0 else {
            if errno == ENOENT || errno == ECONNREFUSED {
                throw ControlSocketError("no Sluice listens on \(path); start one, or name another with --socket")
            }
            throw ListeningSocket.failure("can't connect to", path)
        }
    }

    deinit { close(descriptor) }

    /// Sends bytes, line breaks included.
    public func send(_ bytes: [UInt8]) throws(ControlSocketError) {
        var rest = bytes[...]
        switch SocketWriter.send(&rest, to: descriptor) {
        case .sent: return
        case .wouldBlock, .gone: throw ListeningSocket.failure("can't send to", path)
        }
    }

    /// Waits until something has come, or the other side is gone.
    ///
    /// - Returns: Whether it has within the time.
    public func hasInput(within time: Duration) -> Bool {
        let limit = MonotonicClock.now() + time
        while received.isEmpty {
            var ready = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            let count = unsafe poll(&ready, 1, MonotonicClock.milliseconds(from: MonotonicClock.now(), to: limit))
            guard count < 0, errno == EINTR else { return count != 0 }
        }
        return true
    }

    /// The next line, without its line break; `nil` at the end.
    public func receive() -> [UInt8]? {
        while true {
            if let end = received[searched...].firstIndex(of: UInt8(ascii: "\n")) {
                let line = Array(received[..<end])
                received.removeFirst(end + 1)
                searched = 0
                return line
            }
            searched = received.count
            guard fill() else { return nil }
        }
    }

    private func fill() -> Bool {
        let (descriptor, size) = (descriptor, 65_536)
        var chunk = [UInt8](repeating: 0, count: size)
        while true {
            let count = unsafe recv(descriptor, &chunk, size, 0)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return false }
            received += chunk[..<count]
            return true
        }
    }
}
