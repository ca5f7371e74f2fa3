import SluiceCore
import SluiceTestSupport
import Testing

struct HostCapTests {
    @Test(arguments: [Settings.Order.fifo, .lifo], [1, 2])
    func aFullHostHoldsUpNobodyInEverySequenceOfSixSteps(order: Settings.Order, cap: Int) throws {
        let visited = try exploreAll(
            from: HostCapWorld(order: order, cap: cap),
            depth: 6,
            steps: \.successors,
            problem: \.problem
        )
        #expect(visited > 13_000, "the exploration must not shrink: \(visited)")
    }

    /// Against a list that is searched from its start.
    @Test(arguments: [UInt64(1), 2, 3]) func manyTasksOfManyHostsStartInOrder(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        var scheduler = DownloadScheduler(limit: 8)
        scheduler.setMaxPerHost(2)
        var queue: [(task: TaskID, host: Int)] = []
        var active: [(start: DownloadScheduler.Start, host: Int)] = []
        for serial in 0..<4_000 {
            let host = Int.random(in: 0..<6, using: &random) == 0 ? Int.random(in: 1..<30, using: &random) : 0
            switch Int.random(in: 0..<10, using: &random) {
            case 0..<5:
                scheduler.order = Bool.random(using: &random) ? .fifo : .lifo
                let key = MergeKey(url: "http://h\(host).example/\(serial)")
                let time = Timestamp(nanoseconds: 0)
                let answer = scheduler.submit(key, options: .standard, source: .program, now: time)
                queue.insert((answer.task, host), at: scheduler.order == .fifo ? queue.count : 0)
            case 5..<9:
                guard let place = active.indices.randomElement(using: &random) else { continue }
                let ended = active.remove(at: place)
                _ = scheduler.end(ended.start.task)
                scheduler.transferEnded(ended.start.transfer)
            default:
                guard let place = queue.indices.randomElement(using: &random) else { continue }
                let moved = queue.remove(at: place)
                if Bool.random(using: &random) {
                    _ = scheduler.end(moved.task)
                } else {
                    let target = queue.isEmpty ? 0 : Int.random(in: 0...queue.count, using: &random)
                    _ = scheduler.move(moved.task, by: target - place)
                    queue.insert(moved, at: target)
                }
            }
            while let start = scheduler.startNext() {
                let next = queue.firstIndex { entry in active.count { $0.host == entry.host } < 2 }
                let place = try #require(next)
                try #require(queue[place].task == start.task, "step \(serial)")
                active.append((start, queue.remove(at: place).host))
            }
            let isIdle = active.count < 8 && queue.contains { entry in active.count { $0.host == entry.host } < 2 }
            try #require(!isIdle, "a slot is idle at step \(serial)")
            if let sample = queue.indices.randomElement(using: &random) {
                try #require(scheduler.position(of: queue[sample].task) == sample + 1)
            }
        }
    }

    @Test func hostsAreTheSameOnEveryPort() {
        var scheduler = DownloadScheduler(limit: 4)
        scheduler.setMaxPerHost(1)
        for url in ["http://a/1", "https://a:8443/2", "http://[::1]/3", "http://[::1]:80/4", "http://b/5"] {
            _ = scheduler.submit(
                MergeKey(url: url),
                options: .standard,
                source: .program,
                now: Timestamp(nanoseconds: 0)
            )
        }
        var started: [String] = []
        while let start = scheduler.startNext() { started.append(scheduler.task(start.task)?.key.url ?? "") }

        #expect(started == ["http://a/1", "http://[::1]/3", "http://b/5"])
    }
}
