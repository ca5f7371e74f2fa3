internal import CLinux
internal import Glibc
internal import SluiceCore

/// Writes the event stream to a descriptor: each event by itself, as it happens.
///
/// Runs on the loop's thread. A slow reader makes the transfers wait, as it should
/// where somebody reads every event; a closed one ends the writing and nothing else.
final class EventWriter: Sendable {
    private enum Form: Sendable {
        case json(EventEncoder)
        case sentences(EventLog)
    }

    private struct State {
        var isOpen = true
        var buffer: [UInt8] = []
    }

    private let descriptor: Int32
    private let form: Form
    private let state = Locked(State())

    /// - Parameters:
    ///   - descriptor: Open for writing; closed with the writer unless it is standard output.
    ///   - encoder: Makes the lines.
    init(descriptor: Int32, encoder: EventEncoder) { (self.descriptor, form) = (descriptor, .json(encoder)) }

    init(descriptor: Int32, log: EventLog) { (self.descriptor, form) = (descriptor, .sentences(log)) }

    deinit { if descriptor > 2 { close(descriptor) } }

    func write(_ event: PipelineEvent) {
        state.withLock { state in
            guard state.isOpen else { return }
            state.buffer.removeAll(keepingCapacity: true)
            switch form {
            case .json(let encoder): encoder.append(event, to: &state.buffer)
            case .sentences(let log): log.append(event, to: &state.buffer)
            }
            state.isOpen = Self.writeAll(state.buffer, to: descriptor)
        }
    }

    /// - Returns: Whether all was written; a closed reader or a full disk ends the stream.
    static func writeAll(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
        var sent = 0
        while sent < bytes.count {
            let count = unsafe bytes.withUnsafeBytes { buffer in
                unsafe Glibc.write(descriptor, buffer.baseAddress?.advanced(by: sent), buffer.count - sent)
            }
            if count > 0 {
                sent += count
            } else if count < 0, errno == EAGAIN {
                var ready = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                _ = unsafe poll(&ready, 1, -1)
            } else if count < 0, errno != EINTR {
                return false
            }
        }
        return true
    }
}
