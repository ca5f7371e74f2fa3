internal import CLinux
internal import Glibc
internal import SluiceCore
internal import SluiceSystem
internal import SluiceTerminal

/// Lets a program that is told to end leave a reader that does not read.
final class OutputStop: Sendable {
    /// What a slow reader is still given, in all.
    private static let grace: Duration = .milliseconds(500)
    private let bell = Doorbell()
    /// What tells it beside the bell.
    private let signals: SignalWatch?
    /// When that is over; `nil` as long as the program goes on.
    private let end = Locked<Timestamp?>(nil)
    private let rung = Locked(false)

    /// - Parameter signals: The watch whose first signal ends the program; with `nil`, only ``ring()`` tells.
    init(signals: SignalWatch? = nil) { self.signals = signals }

    func ring() {
        rung.withLock { $0 = true }
        bell.ring()
    }

    /// Whether it was rung, and the program ends.
    var isRung: Bool { rung.withLock { $0 } }

    /// When a reader that kept a write waiting has had its time; `nil` if none did.
    var deadline: Timestamp? { end.withLock { $0 } }

    /// Blocks until a write would not block.
    ///
    /// - Returns: Whether there is room; else the program ends, and the reader had its time.
    func waitForRoom(_ descriptor: Int32) -> Bool {
        var watched = [
            pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0),
            pollfd(fd: bell.descriptor, events: Int16(POLLIN), revents: 0),
            pollfd(fd: signals?.descriptor ?? -1, events: Int16(POLLIN), revents: 0),
        ]
        // Once it was taken, the descriptor is silent.
        let isEnding = signals?.ending != nil
        while !isEnding, unsafe poll(&watched, 3, -1) < 0, errno == EINTR {}
        if !isEnding, watched[1].revents == 0, watched[2].revents == 0 { return true }
        if Self.hasRoom(descriptor) { return true }
        let end = end.withLock { end in
            let known = end ?? MonotonicClock.now() + Self.grace
            end = known
            return known
        }
        // One that reads as fast as it is written to gets everything, however much that is.
        var count: Int32
        repeat {
            count = unsafe poll(&watched, 1, MonotonicClock.milliseconds(from: MonotonicClock.now(), to: end))
        } while count < 0 && errno == EINTR
        return count > 0
    }

    /// Whether a write would not block now.
    static func hasRoom(_ descriptor: Int32) -> Bool {
        var watched = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        return unsafe poll(&watched, 1, 0) > 0
    }
}
