internal import CLinux

/// Wakes threads that wait in `poll`; stays readable from ``ring()`` to ``silence()``.
final class Doorbell: Sendable {
    let descriptor: Int32

    /// - Throws: ``OriginError`` when the process is out of file descriptors.
    init() throws(OriginError) {
        descriptor = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))
        guard descriptor >= 0 else { throw OriginError(doing: "make an event descriptor") }
    }

    deinit { close(descriptor) }

    func ring() { eventfd_write(descriptor, 1) }

    func silence() {
        var count: eventfd_t = 0
        _ = unsafe eventfd_read(descriptor, &count)
    }
}
