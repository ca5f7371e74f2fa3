internal import CLinux
import SluiceCore
import SluiceSystem

/// The set of sockets that a loop waits for: an `epoll` descriptor.
///
/// A plain value; the loop that creates it calls ``close()``. Only a transport of the
/// same loop puts sockets in.
public struct Poller: Sendable {
    private let descriptor = epoll_create1(Int32(EPOLL_CLOEXEC))

    init() { precondition(descriptor >= 0, "out of file descriptors at start-up") }

    func close() { _ = CLinux.close(descriptor) }

    /// Adds a socket, or changes what it is watched for; the transport hears of it by `socketsReady(_:now:)`.
    ///
    /// - Parameters:
    ///   - socket: An open descriptor.
    ///   - bits: `EPOLL*`.
    ///   - isNew: Whether it is probably not in the set; only saves a call.
    public func watch(_ socket: Int32, for bits: UInt32, isNew: Bool) {
        var event = unsafe epoll_event(events: bits, data: epoll_data_t(fd: socket))
        // A closed descriptor leaves the set by itself, and its number may be back: then one of the two works.
        let (first, second) = isNew ? (EPOLL_CTL_ADD, EPOLL_CTL_MOD) : (EPOLL_CTL_MOD, EPOLL_CTL_ADD)
        if unsafe epoll_ctl(descriptor, first, socket, &event) != 0 {
            unsafe epoll_ctl(descriptor, second, socket, &event)
        }
    }

    /// Takes a socket out; one that is closed leaves by itself.
    public func forget(_ socket: Int32) {
        epoll_ctl(descriptor, EPOLL_CTL_DEL, socket, nil)
    }

    /// Waits, and replaces the contents of `ready`.
    func wait(_ sleep: LoopSleep, now: Timestamp, into ready: inout [SocketEvent]) {
        ready.removeAll(keepingCapacity: true)
        unsafe withUnsafeTemporaryAllocation(of: epoll_event.self, capacity: 64) { events in
            var count = unsafe epoll_wait(descriptor, events.baseAddress, 64, milliseconds(of: sleep, now: now))
            // Who was stopped is told nothing of what came meanwhile, which must be read before it is missed.
            if count < 0 { count = unsafe epoll_wait(descriptor, events.baseAddress, 64, 0) }
            for index in 0..<max(0, Int(count)) {
                unsafe ready.append(SocketEvent(descriptor: events[index].data.fd, bits: events[index].events))
            }
        }
    }

    /// Rounded up: waking early would only mean waking again.
    private func milliseconds(of sleep: LoopSleep, now: Timestamp) -> Int32 {
        switch sleep {
        case .untilWoken: -1
        case .until(let time): MonotonicClock.milliseconds(from: now, to: time)
        case .ended: 0
        }
    }
}
