internal import CLinux
internal import Glibc
internal import SluiceSystem

/// Lets a program that is told to end leave a reader that does not read.
final class OutputStop: Sendable {
    /// What a slow reader is still given, in milliseconds.
    private static let grace: Int32 = 500
    private let bell = Doorbell()

    func ring() { bell.ring() }

    /// Blocks until a write would not block.
    ///
    /// - Returns: Whether there is room; else the program ends, and the reader had its time.
    func waitForRoom(_ descriptor: Int32) -> Bool {
        var watched = [
            pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0),
            pollfd(fd: bell.descriptor, events: Int16(POLLIN), revents: 0),
        ]
        while unsafe poll(&watched, 2, -1) < 0, errno == EINTR {}
        if watched[0].revents != 0 { return true }
        return unsafe poll(&watched, 1, Self.grace) > 0
    }
}
