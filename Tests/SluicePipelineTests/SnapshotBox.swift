import CLinux
import Glibc
import SluiceCore
import SluiceSystem
import SluiceTestSupport

/// Every snapshot that a pipeline published, for tests that wait for one.
final class SnapshotBox: Sendable {
    private let bell = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))
    private let kept = Locked<[PipelineSnapshot]>([])

    deinit { CLinux.close(bell) }

    var all: [PipelineSnapshot] { kept.withLock { $0 } }

    func add(_ snapshot: PipelineSnapshot) {
        kept.withLock { $0.append(snapshot) }
        eventfd_write(bell, 1)
    }

    /// Waits until the newest snapshot meets a condition.
    ///
    /// - Returns: `nil` if none came before the limit.
    func wait(
        atMost limit: Duration = .patience,
        until condition: (PipelineSnapshot) -> Bool
    ) -> PipelineSnapshot? {
        let deadline = MonotonicClock.now() + limit
        while true {
            var rings: eventfd_t = 0
            _ = unsafe eventfd_read(bell, &rings)
            if let snapshot = kept.withLock({ $0.last }), condition(snapshot) { return snapshot }
            let remaining = deadline - MonotonicClock.now()
            if remaining <= .zero { return nil }
            var watched = pollfd(fd: bell, events: Int16(POLLIN), revents: 0)
            _ = unsafe poll(&watched, 1, Int32(remaining.nanoseconds / 1_000_000 + 1))
        }
    }
}
