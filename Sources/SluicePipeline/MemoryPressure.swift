internal import Glibc
internal import SluiceSystem

/// Tells when memory is short, by Linux' pressure stall information or the limits of a control group.
///
/// A thread sleeps until the kernel has something to tell; nothing polls. Where it tells this process nothing, there is no
/// watch.
///
/// - SeeAlso: The kernel's `Documentation/accounting/psi.rst`.
final class MemoryPressure: Sendable {
    /// Tells the thread of the end.
    private let bell: Doorbell

    /// Starts to watch; `nil` if the kernel gives no such information to this process, or it is out of files or threads.
    ///
    /// - Parameter report: Called on the watch's thread, at most about once in two seconds by pressure stall information.
    convenience init?(report: @escaping @Sendable () -> Void) {
        guard let source = MemoryPressureSource.open() else { return nil }
        self.init(source, report)
    }

    /// Takes the source, which is closed with the watch.
    init?(_ source: MemoryPressureSource, _ report: @escaping @Sendable () -> Void) {
        guard let bell = Doorbell.ifPossible() else {
            source.close()
            return nil
        }
        self.bell = bell
        let thread = WorkerThread.start { [bell] in
            var source = source
            var watched = [
                pollfd(fd: bell.descriptor, events: Int16(POLLIN), revents: 0),
                pollfd(fd: source.descriptor, events: Int16(POLLPRI), revents: 0),
            ]
            while watched[0].revents == 0 {
                guard unsafe poll(&watched, nfds_t(watched.count), -1) > 0, watched.count > 1 else { continue }
                switch source.take(watched[1].revents) {
                case true?: report()
                case false?: break
                // Only the end is waited for then.
                case nil: watched.removeLast()
                }
            }
            source.close()
            // The thread holds the bell, so that it never polls a number that was given out again.
            withExtendedLifetime(bell) {}
        }
        guard let thread else {
            source.close()
            return nil
        }
        thread.detach()
    }

    deinit { bell.ring() }
}

/// Whether memory is watched; where that can't be had, it is not asked for at each image.
enum MemoryWatch {
    case notYet
    /// `nil` where the kernel tells nothing, or the end has come.
    case tried(MemoryPressure?)
}
