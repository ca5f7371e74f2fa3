import SluiceCore
import SluicePipeline
import SluiceTestSupport

/// Keeps in memory which parts are said to be whole.
final class PartKeeper: StateKeeping {
    private let parts = Locked<[PartLocation]>([])

    var whole: [String] { parts.withLock { $0.map(\.name) } }

    func save(_ changes: [StateChange], saved: @escaping @Sendable (StateProblem?) -> Void) {
        parts.withLock { parts in
            for change in changes {
                switch change {
                case .part(let record) where record.isWhole: parts.append(record.location)
                case .noPart(let location): parts.removeAll { $0 == location }
                default: break
                }
            }
        }
        saved(nil)
    }
}
