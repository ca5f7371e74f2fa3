internal import CLinux
internal import Glibc

/// Wakes a thread that waits for it, alone or in `poll` and `epoll` beside other things.
///
/// Rung by any thread. A ring that nobody waits for is kept until it is answered, and several are one.
package final class Doorbell: Sendable {
    /// Readable from ``ring()`` to ``answer()``.
    package let descriptor: Int32

    private init(descriptor: Int32) { self.descriptor = descriptor }

    /// A bell that did not ring yet.
    ///
    /// - Parameter waits: Whether ``answer()`` waits for the first ring; else it returns at once without one.
    package convenience init(waits: Bool = false) {
        let descriptor = Self.descriptor(waits: waits)
        precondition(descriptor >= 0, "out of file descriptors")
        self.init(descriptor: descriptor)
    }

    /// A bell that does not wait, for who can do without; `nil` when the process is out of file descriptors.
    package static func ifPossible() -> Doorbell? {
        let descriptor = descriptor(waits: false)
        return descriptor < 0 ? nil : Doorbell(descriptor: descriptor)
    }

    deinit { close(descriptor) }

    private static func descriptor(waits: Bool) -> Int32 {
        eventfd(0, Int32(waits ? EFD_CLOEXEC : EFD_CLOEXEC | EFD_NONBLOCK))
    }

    package func ring() { eventfd_write(descriptor, 1) }

    /// Takes all rings so far.
    package func answer() {
        var rings: eventfd_t = 0
        // Who waits may be its only owner, and what is waited for must stay open.
        withExtendedLifetime(self) {
            while unsafe eventfd_read(descriptor, &rings) != 0, errno == EINTR {}
        }
    }
}
