internal import CLinux
internal import Glibc
internal import SluiceCore
internal import SluiceSystem

/// Writes the event stream to a descriptor: each event by itself, as it happens.
///
/// Runs on the loop's thread. A slow reader makes the transfers wait, as it should
/// where somebody reads every event; a closed one ends the writing and nothing else. On a
/// full disk it ends with the last whole line, and ``problem`` says so.
final class EventWriter: Sendable {
    private enum Form: Sendable {
        case json(EventEncoder)
        case sentences(EventLog)
    }

    private struct State {
        var isOpen = true
        var buffer: [UInt8] = []
        var problem: String?
    }

    private let name: String
    private let descriptor: Int32
    private let form: Form
    private let stop: OutputStop
    private let state = Locked(State())

    /// - Parameters:
    ///   - name: The option and its value, for people.
    ///   - descriptor: Open for writing; closed with the writer unless it is standard output.
    ///   - stop: Ends the wait for a slow reader.
    ///   - encoder: Makes the lines.
    init(_ name: String, descriptor: Int32, stop: OutputStop, encoder: EventEncoder) {
        (self.name, self.descriptor, self.stop, form) = (name, descriptor, stop, .json(encoder))
    }

    init(_ name: String, descriptor: Int32, stop: OutputStop, log: EventLog) {
        (self.name, self.descriptor, self.stop, form) = (name, descriptor, stop, .sentences(log))
    }

    /// Why something is missing at the end, as a sentence; `nil` if all was written, or the reader had enough.
    var problem: String? { state.withLock { $0.problem } }

    deinit { if descriptor > 2 { close(descriptor) } }

    func write(_ event: PipelineEvent) {
        state.withLock { state in
            guard state.isOpen else { return }
            state.buffer.removeAll(keepingCapacity: true)
            switch form {
            case .json(let encoder): encoder.append(event, to: &state.buffer)
            case .sentences(let log): log.append(event, to: &state.buffer)
            }
            let sent = Self.write(state.buffer, to: descriptor, stop: stop)
            guard sent < state.buffer.count else { return }
            let cause = errno
            state.isOpen = false
            guard cause == ENOSPC || cause == EDQUOT || cause == EFBIG || cause == EIO else { return }
            state.problem = "\(name): \(unsafe String(cString: strerror(cause))): what happened after that is missing"
            // Half a line would spoil the whole for its reader; what another process wrote behind it stays.
            let end = lseek(descriptor, 0, SEEK_CUR)
            let isLast = FileStatus(descriptor).map { $0.size == end } ?? false
            if sent > 0, end >= sent, isLast, ftruncate(descriptor, end - sent) == 0 {
                lseek(descriptor, end - sent, SEEK_SET)
            }
        }
    }

    /// Writes to the end, however slow the reader is, unless a stop is asked for.
    ///
    /// - Returns: Whether all was written; a closed reader or a full disk ends the stream, and `errno` says which.
    static func writeAll(_ bytes: [UInt8], to descriptor: Int32, stop: OutputStop? = nil) -> Bool {
        write(bytes, to: descriptor, stop: stop) == bytes.count
    }

    /// How many bytes could be written; where they are not all, `errno` says why, and is 0 after a stop.
    private static func write(_ bytes: [UInt8], to descriptor: Int32, stop: OutputStop?) -> Int {
        var sent = 0
        while sent < bytes.count {
            if let stop, !stop.waitForRoom(descriptor) {
                errno = 0
                return sent
            }
            // A pipe that has room takes so much without blocking.
            let size = min(bytes.count - sent, stop == nil ? .max : 4096)
            let count = unsafe bytes.withUnsafeBytes { buffer in
                unsafe Glibc.write(descriptor, buffer.baseAddress?.advanced(by: sent), size)
            }
            if count > 0 {
                sent += count
            } else if count < 0, errno == EAGAIN {
                var ready = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                _ = unsafe poll(&ready, 1, -1)
            } else if count < 0, errno != EINTR {
                return sent
            }
        }
        return sent
    }
}
