import SluiceCore
import SluiceTestSupport

/// The scheduler with a cap for each host, beside the plainest model of what it must do.
///
/// Keys 0, 1 and 2 are of one host, 3 of another. The next task is always the first in the
/// queue whose host has room; all keep the positions that they would have without a cap.
struct HostCapWorld: ExploredWorld {
    private var scheduler = DownloadScheduler(limit: 2)
    private var ids: [Int: TaskID] = [:]
    private var promoted: [Int] = []
    private var normal: [Int] = []
    private var active: [Int: TransferID] = [:]
    /// Of host 0 and 1: transfers whose tasks are gone.
    private var dying: [(transfer: TransferID, host: Int)] = []
    private var paused: Set<Int> = []
    private(set) var problem: String?

    private var queue: [Int] { promoted + normal }

    init(order: Settings.Order, cap: Int) {
        scheduler.order = order
        scheduler.setMaxPerHost(cap)
    }

    private static func host(_ key: Int) -> Int { key < 3 ? 0 : 1 }
    private static func url(_ key: Int) -> String { "http://host\(host(key)).example:80\(key)/\(key)" }

    var successors: [(name: String, next: Self)] {
        var steps: [(name: String, next: Self)] = []
        for key in 0..<4 {
            guard let id = ids[key] else {
                // The keys of one host are interchangeable.
                if key == 0 || key == 3 || ids[key - 1] != nil {
                    steps.append(step("submit \(key)") { $0.submit(key) })
                }
                continue
            }
            steps.append(step("abort \(key)") { $0.abort(key, id) })
            if active[key] != nil {
                steps.append(step("end \(key)") { $0.end(key, id) })
            } else if paused.contains(key) {
                steps.append(step("resume \(key)") { $0.resume(key, id) })
            } else {
                steps.append(step("pause \(key)") { $0.pause(key, id) })
                steps.append(step("promote \(key)") { $0.promote(key, id) })
                steps.append(step("back \(key)") { $0.move(key, id) })
                steps.append(step("restore promoted \(key)") { $0.restore(key, id, asPromoted: true) })
                steps.append(step("restore \(key)") { $0.restore(key, id, asPromoted: false) })
            }
        }
        if let first = dying.first { steps.append(step("let go") { $0.letGo(first.transfer) }) }
        let cap = [0: 1, 1: 2, 2: 0][scheduler.maxPerHost] ?? 0
        steps.append(
            step("cap \(cap)") {
                $0.scheduler.setMaxPerHost(cap)
                $0.start()
            }
        )
        return steps
    }

    private mutating func submit(_ key: Int) {
        let answer = scheduler.submit(
            MergeKey(url: Self.url(key)),
            options: .standard,
            source: .program,
            now: Timestamp(nanoseconds: 0)
        )
        ids[key] = answer.task
        normal.insert(key, at: scheduler.order == .fifo ? normal.count : 0)
        start()
    }

    private mutating func abort(_ key: Int, _ id: TaskID) {
        if let transfer = active.removeValue(forKey: key) { dying.append((transfer, Self.host(key))) }
        _ = scheduler.end(id)
        leaveQueue(key)
        paused.remove(key)
        ids[key] = nil
        start()
    }

    private mutating func end(_ key: Int, _ id: TaskID) {
        abort(key, id)
        if let last = dying.last { letGo(last.transfer) }
    }

    private mutating func letGo(_ transfer: TransferID) {
        dying.removeAll { $0.transfer == transfer }
        scheduler.transferEnded(transfer)
        start()
    }

    private mutating func pause(_ key: Int, _ id: TaskID) {
        _ = scheduler.pause(id)
        leaveQueue(key)
        paused.insert(key)
        start()
    }

    private mutating func resume(_ key: Int, _ id: TaskID) {
        _ = scheduler.resume(id)
        paused.remove(key)
        normal.insert(key, at: 0)
        start()
    }

    private mutating func promote(_ key: Int, _ id: TaskID) {
        if scheduler.promote(id) != (promoted.first != key) { problem = "promoted the first, or not another" }
        guard promoted.first != key else { return }
        leaveQueue(key)
        promoted.insert(key, at: 0)
        start()
    }

    private mutating func move(_ key: Int, _ id: TaskID) {
        _ = scheduler.move(id, by: 1)
        for path in [\Self.promoted, \Self.normal] {
            guard let place = self[keyPath: path].firstIndex(of: key), place + 1 < self[keyPath: path].count else {
                continue
            }
            self[keyPath: path].swapAt(place, place + 1)
        }
        start()
    }

    private mutating func restore(_ key: Int, _ id: TaskID, asPromoted: Bool) {
        leaveQueue(key)
        if asPromoted {
            scheduler.restorePromotion(id)
            promoted.append(key)
        } else {
            scheduler.restorePriority(id, .normal, atFront: false)
            normal.append(key)
        }
        start()
    }

    private mutating func leaveQueue(_ key: Int) {
        promoted.removeAll { $0 == key }
        normal.removeAll { $0 == key }
    }

    private func hasRoom(_ key: Int) -> Bool {
        let host = Self.host(key)
        let used = active.keys.count { Self.host($0) == host } + dying.count { $0.host == host }
        return scheduler.maxPerHost == 0 || used < scheduler.maxPerHost
    }

    private mutating func start() {
        while true {
            let isFree = active.count + dying.count < scheduler.limit
            let expected = isFree ? queue.first(where: hasRoom) : nil
            let started = scheduler.startNext()
            if started?.task != expected.flatMap({ ids[$0] }) {
                problem = "started another than the first whose host has room"
                return
            }
            guard let expected, let started else { return }
            leaveQueue(expected)
            active[expected] = started.transfer
        }
    }

    mutating func check() {
        for (place, key) in queue.enumerated() where scheduler.position(of: ids[key] ?? TaskID(0)) != place + 1 {
            problem = "a position is wrong"
        }
        if scheduler.queuedCount != queue.count { problem = "the queue holds others" }
        if scheduler.canStart { problem = "something could start and did not" }
        let passed = queue.filter { scheduler.isHostFull(ids[$0] ?? TaskID(0)) }
        if passed.contains(where: hasRoom), active.count + dying.count < scheduler.limit {
            problem = "a host with room is said to be full"
        }
    }
}
