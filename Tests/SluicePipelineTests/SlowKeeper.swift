import SluiceCore
import SluicePipeline
import SluiceSystem

/// Keeps changes in memory, and says so when it is told to.
final class SlowKeeper: StateKeeping {
    private struct State {
        var changes: [StateChange] = []
        var waiting: [@Sendable (StateProblem?) -> Void] = []
        var isHeld = false
        /// Lots that are safe at once all the same.
        var besides = 0
        var problem: StateProblem?
    }

    private let state = Locked(State())
    /// Rings with each change.
    private let bell = Doorbell()

    func save(_ changes: [StateChange], saved: @escaping @Sendable (StateProblem?) -> Void) {
        defer { bell.ring() }
        let (isHeld, problem) = state.withLock { state in
            state.changes += changes
            let isHeld = state.isHeld && state.besides == 0
            state.besides = max(0, state.besides - 1)
            if isHeld { state.waiting.append(saved) }
            return (isHeld, state.problem)
        }
        if !isHeld { saved(problem) }
    }

    func hold(besides lots: Int = 0) { state.withLock { ($0.isHeld, $0.besides) = (true, lots) } }
    func fail(_ problem: StateProblem?) { state.withLock { $0.problem = problem } }

    func release() {
        let waiting = state.withLock { state in
            defer { (state.waiting, state.isHeld) = ([], false) }
            return state.waiting
        }
        for saved in waiting { saved(nil) }
    }

    func wait(forChanges count: Int) -> Bool { wait { $0.count >= count } }

    func wait(until isDone: ([StateChange]) -> Bool) -> Bool {
        bell.wait { isDone(state.withLock { $0.changes }) }
    }

    /// Requests that were ever kept.
    var requestCount: Int {
        state.withLock { $0.changes }.count { if case .request = $0 { true } else { false } }
    }

    /// What the next session goes on with, in the order in which it queues that.
    var left: [RestoredRequest] {
        var (requests, places): ([RequestRecord], [TaskID: TaskRecord]) = ([], [:])
        for change in state.withLock({ $0.changes }) {
            switch change {
            case .request(let record): requests.append(record)
            case .task(let record): places[record.task] = record
            case .receiptEnded(let task, let receipt):
                requests.removeAll { $0.task == task && $0.receipt == receipt }
            case .taskEnded(let task): requests.removeAll { $0.task == task }
            case .trusted(let task, let key, let trust):
                for index in requests.indices where requests[index].task == task {
                    (requests[index].key, requests[index].trust) = (key, trust)
                }
            default: break
            }
        }
        let kept = requests.compactMap { record in places[record.task].map { (record: record, place: $0) } }
        let sorted = kept.sorted { ($0.place.band, $0.place.rank) < ($1.place.band, $1.place.rank) }
        return sorted.map { Self.restored($0.record, $0.place) }
    }

    private static func restored(_ record: RequestRecord, _ place: TaskRecord) -> RestoredRequest {
        var restored = RestoredRequest(
            row: RestoredRequest.Row(session: 1, task: record.task.rawValue, receipt: record.receipt.rawValue),
            request: record.request,
            band: place.band,
            isPaused: place.isPaused,
            priority: place.priority
        )
        (restored.key, restored.trust, restored.waitsUntil) = (record.key, record.trust, place.waitsUntil)
        return restored
    }

    /// Receipts that were kept and have no end.
    var openRequests: [Int] {
        var open: [(task: Int, receipt: Int)] = []
        for change in state.withLock({ $0.changes }) {
            switch change {
            case .request(let record): open.append((record.task.rawValue, record.receipt.rawValue))
            case .receiptEnded(let task, let receipt):
                open.removeAll { $0 == (task.rawValue, receipt.rawValue) }
            case .taskEnded(let task): open.removeAll { $0.task == task.rawValue }
            default: break
            }
        }
        return open.map(\.receipt)
    }

    var openTasks: Set<Int> {
        var open: Set<Int> = []
        for change in state.withLock({ $0.changes }) {
            switch change {
            case .task(let record): open.insert(record.task.rawValue)
            case .taskEnded(let task): open.remove(task.rawValue)
            default: break
            }
        }
        return open
    }

    /// URLs that were ever kept.
    var requested: [String] {
        state.withLock { $0.changes }.compactMap {
            if case .request(let record) = $0 { record.request.url } else { nil }
        }
    }

    var failed: [String] { failures.map(\.url) }

    /// Failures that were ever kept.
    var failures: [FailedRecord] {
        state.withLock { $0.changes }.compactMap { if case .failed(let record) = $0 { record } else { nil } }
    }

    /// Keys of failures that were ever forgotten.
    var forgotten: [String] {
        state.withLock { $0.changes }.compactMap { if case .notFailed(let key) = $0 { key } else { nil } }
    }
}
