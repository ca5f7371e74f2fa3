import SluiceCore
import SluiceSystem
import SluiceTestSupport

/// Every snapshot that a pipeline published, for tests that wait for one.
final class SnapshotBox: Sendable {
    private let bell = Doorbell()
    private let kept = Locked<[PipelineSnapshot]>([])

    var all: [PipelineSnapshot] { kept.withLock { $0 } }

    func add(_ snapshot: PipelineSnapshot) {
        kept.withLock { $0.append(snapshot) }
        bell.ring()
    }

    /// Waits until the newest snapshot meets a condition.
    ///
    /// - Returns: `nil` if none came.
    func wait(until condition: (PipelineSnapshot) -> Bool) -> PipelineSnapshot? {
        var found: PipelineSnapshot?
        let isThere = bell.wait {
            found = kept.withLock { $0.last }
            return found.map(condition) ?? false
        }
        return isThere ? found : nil
    }
}
