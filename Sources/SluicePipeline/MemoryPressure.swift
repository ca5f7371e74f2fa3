internal import CLinux
internal import Glibc
internal import SluiceSystem

/// Tells when the system is short of memory, by Linux' pressure stall information.
///
/// A thread sleeps until the kernel reports that tasks stalled on memory for 150 ms
/// within a second; nothing polls. Without pressure information there is no watch.
///
/// - SeeAlso: The kernel's `Documentation/accounting/psi.rst`.
public final class MemoryPressure: Sendable {
    /// Tells the thread of the end.
    private let bell = Doorbell()

    /// Starts to watch; `nil` if the kernel gives no pressure information to this process.
    ///
    /// - Parameter report: Called on the watch's thread, at most about once a second.
    public init?(report: @escaping @Sendable () -> Void) {
        guard let descriptor = Self.openTrigger() else { return nil }
        let thread = WorkerThread { [bell] in
            var watched = [
                pollfd(fd: bell.descriptor, events: Int16(POLLIN), revents: 0),
                pollfd(fd: descriptor, events: Int16(POLLPRI), revents: 0),
            ]
            while watched[0].revents == 0 {
                guard unsafe poll(&watched, nfds_t(watched.count), -1) > 0, watched.count > 1 else { continue }
                // The kernel took the trigger back: only the end is waited for then.
                if watched[1].revents & Int16(POLLERR) != 0 {
                    watched.removeLast()
                } else if watched[1].revents & Int16(POLLPRI) != 0 {
                    report()
                }
            }
            CLinux.close(descriptor)
            // The thread holds the bell, so that it never polls a number that was given out again.
            withExtendedLifetime(bell) {}
        }
        thread.detach()
    }

    deinit { bell.ring() }

    private static func openTrigger() -> Int32? {
        let trigger = "some 150000 1000000"
        for path in ["/proc/pressure/memory", "/sys/fs/cgroup/memory.pressure"] {
            let descriptor = unsafe open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC)
            guard descriptor >= 0 else { continue }
            // The kernel wants the terminating zero, too.
            let written = unsafe trigger.withCString { unsafe write(descriptor, $0, trigger.utf8.count + 1) }
            if written > 0 { return descriptor }
            CLinux.close(descriptor)
        }
        return nil
    }
}
