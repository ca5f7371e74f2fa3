internal import CLinux
internal import Glibc

/// Wakes a waiting thread when a program asked for the end.
final class QuitBell: Sendable {
    /// Readable once the end was asked for.
    let descriptor = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))

    init() { precondition(descriptor >= 0, "out of file descriptors at start-up") }

    deinit { CLinux.close(descriptor) }

    func ring() { eventfd_write(descriptor, 1) }
}
