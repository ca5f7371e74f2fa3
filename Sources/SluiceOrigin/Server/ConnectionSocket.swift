internal import CLinux
internal import Glibc
internal import SluiceCore
internal import SluiceSystem

/// Why an answer did not reach its scripted end.
enum Interruption: Error {
    case clientGone
    case originStopped
}

/// One connection's socket; every wait ends when the client closes or the origin stops.
///
/// Confined to the connection's thread.
struct ConnectionSocket {
    let descriptor: Int32
    let stop: Doorbell

    /// Blocks until the deadline or until `bell` rings, whichever is first; without either, until the client closes.
    func pause(until deadline: Timestamp?, bell: Doorbell? = nil) throws(Interruption) {
        while true {
            let now = MonotonicClock.now()
            let isDue = deadline.map { now >= $0 } ?? false
            var entries = [
                pollfd(fd: descriptor, events: Self.hangUp, revents: 0),
                pollfd(fd: stop.descriptor, events: Int16(POLLIN), revents: 0),
                pollfd(fd: bell?.descriptor ?? -1, events: Int16(POLLIN), revents: 0),
            ]
            let timeout = isDue ? 0 : MonotonicClock.milliseconds(from: now, to: deadline)
            _ = unsafe poll(&entries, nfds_t(entries.count), timeout)
            if entries[1].revents != 0 { throw .originStopped }
            if entries[0].revents != 0 { throw .clientGone }
            if isDue || entries[2].revents != 0 { return }
        }
    }

    /// Blocks until the system took all bytes.
    func send(_ bytes: ArraySlice<UInt8>) throws(Interruption) {
        var rest = bytes
        while true {
            switch SocketWriter.send(&rest, to: descriptor) {
            case .sent: return
            case .wouldBlock: try waitForRoom()
            case .gone: throw .clientGone
            }
        }
    }

    /// Blocks for the next bytes; none at the end of what the client sends.
    func receive() throws(Interruption) -> [UInt8] {
        var buffer = [UInt8](repeating: 0, count: 16_384)
        while true {
            let count = unsafe buffer.withUnsafeMutableBytes { buffer in
                unsafe recv(descriptor, buffer.baseAddress, buffer.count, 0)
            }
            if count >= 0 { return Array(buffer[..<count]) }
            if errno == EAGAIN {
                _ = try wait(for: Int16(POLLIN))
            } else if errno != EINTR {
                throw .clientGone
            }
        }
    }

    /// Makes the coming close a reset, which drops what the client has not received.
    func resetOnClose() {
        var option = linger(l_onoff: 1, l_linger: 0)
        _ = unsafe setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
    }

    func sendWithoutDelay() {
        var yes: Int32 = 1
        _ = unsafe setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &yes, socklen_t(MemoryLayout<Int32>.size))
    }

    func close() { Glibc.close(descriptor) }

    /// `POLLRDHUP` of `poll(2)`, which the headers hide from Swift.
    private static let hangUp: Int16 = 0x2000

    private func waitForRoom() throws(Interruption) {
        if try wait(for: Int16(POLLOUT) | Self.hangUp) & Self.hangUp != 0 { throw .clientGone }
    }

    private func wait(for events: Int16) throws(Interruption) -> Int16 {
        var entries = [
            pollfd(fd: descriptor, events: events, revents: 0),
            pollfd(fd: stop.descriptor, events: Int16(POLLIN), revents: 0),
        ]
        _ = unsafe poll(&entries, nfds_t(entries.count), -1)
        if entries[1].revents != 0 { throw .originStopped }
        return entries[0].revents
    }
}
