import SluiceCore
import SluiceTestSupport

/// The scheduler together with what an observer of its answers would believe.
///
/// Three keys, a limit that changes between 1 and 2, pausing, retrying and suspending,
/// and every way to go on. Keys are interchangeable, so a key is not tried before its
/// predecessors.
struct SchedulerWorld: ExploredWorld {
    private enum Place: Equatable {
        case queued
        case active(TransferID)
        case waiting
        case paused
    }

    private struct LiveTask {
        var id: TaskID
        /// In order of submission, without an outcome yet.
        var receipts: [ReceiptID]
        var place: Place
    }

    private var scheduler: DownloadScheduler
    private var tasks: [String: LiveTask] = [:]
    /// The keys of the queued tasks, next one first.
    private var queue: [String] = []
    private var aborting: Set<TransferID> = []
    private var keyCount = 0
    private var lastOutcome: ReceiptID?
    private var time: Int64 = 0
    private(set) var problem: String?

    private var slotsInUse: Int { active.count + aborting.count }
    private var active: [TransferID] {
        tasks.values.compactMap { task in
            if case .active(let transfer) = task.place { transfer } else { nil }
        }
    }
    private var now: Timestamp { Timestamp(nanoseconds: time) }

    init(order: Settings.Order, lastReceipt: Settings.LastReceipt) {
        scheduler = DownloadScheduler(limit: 2, order: order)
        scheduler.lastReceipt = lastReceipt
    }

    var successors: [(name: String, next: Self)] {
        var steps = ["a", "b", "c"].prefix(keyCount + 1).enumerated().map { index, url in
            step("submit \(url)") {
                $0.keyCount = max($0.keyCount, index + 1)
                $0.submit(url)
            }
        }
        for (url, task) in tasks.sorted(by: { $0.key < $1.key }) {
            if let receipt = task.receipts.last { steps.append(step("cancel \(url)") { $0.cancel(receipt, of: url) }) }
            steps.append(step("abort \(url)") { $0.abort(url) })
            switch task.place {
            case .active(let transfer):
                steps.append(step("end \(url)") { $0.end(url, transfer) })
                if !task.receipts.isEmpty {
                    steps.append(step("pause \(url)") { $0.pause(url) })
                    steps.append(step("retry \(url)") { $0.wait(url, transfer) })
                }
            case .queued: steps.append(step("pause \(url)") { $0.pause(url) })
            case .waiting:
                steps.append(step("time of \(url)") { $0.timeCame() })
                steps.append(step("at once \(url)") { $0.endWait(url) })
            case .paused: steps.append(step("resume \(url)") { $0.resume(url) })
            }
        }
        if let transfer = aborting.first { steps.append(step("let go") { $0.letGo(transfer) }) }
        let limit = 3 - scheduler.limit
        steps.append(
            step("limit \(limit)") {
                $0.scheduler.setLimit(limit)
                $0.start()
            }
        )
        steps.append(
            step(scheduler.isSuspended ? "go on" : "suspend") {
                $0.scheduler.isSuspended.toggle()
                $0.start()
            }
        )
        return steps
    }

    private mutating func submit(_ url: String) {
        let answer = scheduler.submit(MergeKey(url: url), options: .standard, source: .program, now: now)
        if (answer.placement != .created) != (tasks[url] != nil) { problem = "joined a dead task, or not a live one" }
        if let live = tasks[url], live.id != answer.task { problem = "joined another task" }
        tasks[url, default: LiveTask(id: answer.task, receipts: [], place: .queued)].receipts.append(answer.receipt)
        if answer.placement == .created { queue.insert(url, at: scheduler.order == .fifo ? queue.count : 0) }
        start()
    }

    private mutating func cancel(_ receipt: ReceiptID, of url: String) {
        guard let (_, _, effect) = scheduler.cancel(receipt), var task = tasks[url] else {
            problem = "a live receipt can't be cancelled"
            return
        }
        task.receipts.removeAll { $0 == receipt }
        tasks[url] = task
        lastOutcome = receipt
        guard task.receipts.isEmpty else {
            if effect != .none { problem = "a task that others wait for was touched" }
            return
        }
        guard case .active(let transfer) = task.place else {
            if effect != .removed { problem = "a task without slot and receipts stays" }
            forget(url)
            return
        }
        if scheduler.lastReceipt == .finish {
            if effect != .detached { problem = "did not detach" }
        } else {
            if effect != .aborted(transfer) { problem = "did not abort" }
            aborting.insert(transfer)
            forget(url)
        }
    }

    private mutating func abort(_ url: String) {
        guard let task = tasks[url], let receipts = scheduler.end(task.id) else { return }
        if receipts.map(\.id) != task.receipts { problem = "outcomes are missing, out of order, or too many" }
        lastOutcome = receipts.last?.id ?? lastOutcome
        if case .active(let transfer) = task.place { aborting.insert(transfer) }
        forget(url)
    }

    private mutating func end(_ url: String, _ transfer: TransferID) {
        abort(url)
        letGo(transfer)
    }

    private mutating func letGo(_ transfer: TransferID) {
        aborting.remove(transfer)
        scheduler.transferEnded(transfer)
        start()
    }

    private mutating func pause(_ url: String) {
        guard let task = tasks[url] else { return }
        let (didChange, transfer) = scheduler.pause(task.id)
        if !didChange { problem = "did not pause" }
        if case .active(let held) = task.place {
            if transfer != held { problem = "paused without naming the transfer" }
            aborting.insert(held)
        }
        queue.removeAll { $0 == url }
        tasks[url]?.place = .paused
        if scheduler.pause(task.id).didChange { problem = "paused twice" }
    }

    private mutating func resume(_ url: String) {
        guard let task = tasks[url] else { return }
        if !scheduler.resume(task.id) { problem = "did not resume" }
        tasks[url]?.place = .queued
        queue.insert(url, at: 0)
        start()
    }

    private mutating func wait(_ url: String, _ transfer: TransferID) {
        guard let task = tasks[url] else { return }
        time += 1
        scheduler.wait(task.id, until: Timestamp(nanoseconds: time), delay: .nanoseconds(1))
        tasks[url]?.place = .waiting
        aborting.insert(transfer)
        letGo(transfer)
    }

    private mutating func endWait(_ url: String) {
        guard let task = tasks[url] else { return }
        if !scheduler.endWait(task.id) { problem = "did not end the wait" }
        if scheduler.endWait(task.id) { problem = "ended a wait twice" }
        tasks[url]?.place = .queued
        queue.insert(url, at: 0)
        start()
    }

    private mutating func timeCame() {
        var isAny = false
        while let id = scheduler.wakeNext(now: now) {
            isAny = true
            guard let url = tasks.first(where: { $0.value.id == id })?.key else {
                problem = "a dead task woke up"
                return
            }
            if tasks[url]?.place != .waiting { problem = "a task woke up that did not wait" }
            tasks[url]?.place = .queued
            queue.insert(url, at: 0)
        }
        if !isAny { problem = "nothing woke up" }
        start()
    }

    private mutating func start() {
        while let start = scheduler.startNext() {
            if slotsInUse >= scheduler.limit { problem = "started without a free slot" }
            if scheduler.isSuspended { problem = "started while suspended" }
            guard let url = queue.first, tasks[url]?.id == start.task else {
                problem = "started a task that is not next"
                return
            }
            queue.removeFirst()
            tasks[url]?.place = .active(start.transfer)
        }
    }

    private mutating func forget(_ url: String) {
        queue.removeAll { $0 == url }
        tasks[url] = nil
    }

    mutating func check() {
        if slotsInUse != scheduler.activeCount { problem = "slot count is wrong" }
        if queue.count != scheduler.queuedCount { problem = "the queue holds other tasks than the live ones" }
        if tasks.count != scheduler.liveCount { problem = "the live tasks are others" }
        if scheduler.pausedCount != tasks.values.count(where: { $0.place == .paused }) {
            problem = "paused count is wrong"
        }
        if scheduler.waitingCount != tasks.values.count(where: { $0.place == .waiting }) {
            problem = "waiting count is wrong"
        }
        if tasks.values.reduce(0, { $0 + $1.receipts.count }) != scheduler.liveReceiptCount {
            problem = "the live receipts are others"
        }
        if !queue.isEmpty, !scheduler.isSuspended, slotsInUse < scheduler.limit {
            problem = "a slot is idle while tasks wait"
        }
        let positions = queue.enumerated().map { scheduler.position(of: tasks[$1]?.id ?? TaskID(0)) == $0 + 1 }
        if positions.contains(false) { problem = "a position is wrong" }
        if let lastOutcome, scheduler.cancel(lastOutcome) != nil { problem = "a receipt has two outcomes" }
    }
}
