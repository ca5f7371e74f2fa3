import SluiceCore
import SluiceTestSupport

@testable import SluiceUI

/// A session that was made up and recorded: every kind of news, in an order that a pipeline could have.
enum RecordedScene {
    /// 2026-11-21T10:15:59Z.
    static let start = SessionStart(time: Recording.startTime, nanosecondsSince1970: 1_795_256_159_000_000_000)

    /// - Parameters:
    ///   - steps: How much happens; several events each.
    ///   - seed: Another one makes another session.
    /// - Returns: As it is read from its log.
    /// - Throws: If the log can't be read.
    static func recording(steps: Int, seed: UInt64 = 1) throws -> Recording {
        var session = Session(seed: seed)
        session.run(steps: steps)
        var reader = RecordingReader()
        try reader.add(session.bytes[...])
        return try reader.finish()
    }

    private struct Session {
        private(set) var bytes: [UInt8] = []
        private var random: SeededRandom
        private let encoder = EventEncoder(start: RecordedScene.start)
        private var (seq, lastTask, lastReceipt, requests) = (0, 0, 0, 0)
        private var now = Duration.zero
        private var queue: [Int] = []
        private var active: [Int: Int] = [:]
        private var waiting: [Int] = []
        private var paused: [Int] = []
        private var receipts: [Int: [Int]] = [:]
        private var cached: [(key: Int, cost: Int)] = []
        private var indicator = ActivityState.notActive

        private var usage: Int { cached.reduce(0) { $0 + $1.cost } }

        init(seed: UInt64) { random = SeededRandom(seed: seed) }

        mutating func run(steps: Int) {
            var settings = Settings()
            (settings.cacheCapacity, settings.cachePreferred) = (1_000_000, 600_000)
            emit(.sessionStarted(version: "0.1", pid: 1, settings: settings))
            for _ in 0..<steps { step() }
        }

        private mutating func step() {
            let isLong = number(0..<200) == 0
            now += .milliseconds(isLong ? number(10_000..<40_000) : number(1..<220))
            switch number(0..<20) {
            case 0..<4: submit()
            case 4: if let task = (queue + active.keys).min() { join(task) }
            case 5..<13: if let task = active.keys.sorted().randomElement(using: &random) { progress(task) }
            case 13..<16: if let task = active.keys.min() { finish(task) }
            case 16: if let task = active.keys.max() { wait(task) }
            case 17: if !waiting.isEmpty { enqueue(waiting.removeFirst(), at: 1, .retryTimeCame) }
            case 18: pauseOrResume()
            default: if queue.count > 2 { move(queue[2]) }
            }
            fill()
            turnIndicator()
        }

        private mutating func number(_ range: Range<Int>) -> Int { Int.random(in: range, using: &random) }

        private mutating func emit(_ kind: PipelineEvent.Kind) {
            seq += 1
            encoder.append(PipelineEvent(seq: seq, t: now, kind: kind), to: &bytes)
        }

        private func url(_ task: Int) -> String { "https://host-\(task % 3).example/pictures/image-\(task).png" }

        private func change(_ phase: TaskChange.Phase, _ task: Int, _ reason: Why? = nil) -> TaskChange {
            var change = TaskChange(
                phase: phase,
                task: TaskID(task),
                url: url(task),
                attempt: 1,
                active: active.count,
                queued: queue.count
            )
            change.reason = reason
            return change
        }

        private mutating func submit() {
            requests += 1
            if requests % 9 == 0, let entry = cached.last {
                let origin: DownloadRequest.Source = requests % 2 == 0 ? .view(3) : .prompt
                var news = Submission(
                    url: url(entry.key),
                    outcome: .cached,
                    why: .inMemory(idle: .seconds(1), cost: entry.cost),
                    origin: origin
                )
                news.source = .memory
                return emit(.requestSubmitted(news))
            }
            (lastTask, lastReceipt) = (lastTask + 1, lastReceipt + 1)
            receipts[lastTask] = [lastReceipt]
            queue.append(lastTask)
            let why = Why.slotsTaken(active: active.count, limit: 4, ahead: queue.count - 1)
            var news = Submission(
                url: url(lastTask),
                outcome: .queued,
                why: why,
                origin: .list(name: "urls.txt", line: lastTask)
            )
            (news.receipt, news.task, news.position) = (ReceiptID(lastReceipt), TaskID(lastTask), queue.count)
            emit(.requestSubmitted(news))
            var queued = change(.queued, lastTask)
            queued.position = queue.count
            emit(.taskChanged(queued))
        }

        private mutating func join(_ task: Int) {
            lastReceipt += 1
            receipts[task, default: []].append(lastReceipt)
            var news = Submission(url: url(task), outcome: .joined, why: .joinedActive(receipts: 2), origin: .paste)
            (news.receipt, news.task) = (ReceiptID(lastReceipt), TaskID(task))
            emit(.requestSubmitted(news))
        }

        private mutating func enqueue(_ task: Int, at position: Int, _ why: Why) {
            queue.insert(task, at: position - 1)
            var queued = change(.queued, task, why)
            queued.position = position
            emit(.taskChanged(queued))
        }

        private mutating func move(_ task: Int) {
            queue.removeAll { $0 == task }
            queue.insert(task, at: 0)
            var moved = change(.moved, task, .promoted)
            moved.position = 1
            emit(.taskChanged(moved))
        }

        private mutating func progress(_ task: Int) {
            let received = min(400_000, (active[task] ?? 0) + number(1_000..<90_000))
            if active[task] == 0 {
                var head = ResponseHead(status: 200, finalURL: url(task))
                (head.expected, head.httpVersion, head.contentType) = (400_000, "2", "image/png")
                emit(.taskResponse(TaskID(task), head, source: .network))
            }
            active[task] = received
            emit(.taskProgress(TaskID(task), received: received, expected: 400_000))
        }

        private mutating func finish(_ task: Int) {
            let fails = number(0..<6) == 0
            if !fails { cache(task) }
            active[task] = nil
            let served = receipts.removeValue(forKey: task) ?? []
            var end = TaskEnd(
                task: TaskID(task),
                url: url(task),
                outcome: fails ? .failed : .success,
                receipts: served.count
            )
            var timings = TransferTimings(total: .milliseconds(250))
            timings.firstByte = .milliseconds(40)
            (end.bytes, end.timings) = (400_000, TaskEnd.Timings(queued: .seconds(1), transfer: timings))
            if fails {
                end.error = DownloadError(.badStatus, "404 Not Found", status: 404)
            } else {
                end.file = "/tmp/files/image-\(task).png"
                end.image = ImageInfo(format: .png, width: 300, height: 200)
            }
            emit(.taskFinished(end))
            for receipt in served {
                var own = ReceiptEnd(
                    receipt: ReceiptID(receipt),
                    task: TaskID(task),
                    url: url(task),
                    outcome: end.outcome
                )
                (own.error, own.file) = (end.error, end.file)
                emit(.receiptFinished(own))
            }
        }

        private mutating func cache(_ task: Int) {
            let cost = number(20_000..<240_000)
            var victims: [(key: Int, cost: Int)] = []
            let before = usage + cost
            cached.append((task, cost))
            if before > 1_000_000 {
                while usage > 600_000, cached.count > 1 { victims.append(cached.removeFirst()) }
            }
            emit(
                .cacheChanged(
                    CacheChange(
                        verb: .added,
                        key: CacheKey(key: url(task)),
                        cost: cost,
                        usage: usage,
                        capacity: 1_000_000,
                        count: cached.count,
                        why: .fitsCapacity
                    )
                )
            )
            guard !victims.isEmpty else { return }
            let freed = victims.reduce(0) { $0 + $1.cost }
            emit(
                .cachePurged(
                    CachePurge(
                        trigger: .capacity,
                        before: before,
                        needed: before - 600_000,
                        freed: freed,
                        preferred: 600_000,
                        victims: victims.map {
                            CachePurge.Victim(key: CacheKey(key: url($0.key)), cost: $0.cost, idle: .seconds(5))
                        }
                    )
                )
            )
        }

        private mutating func wait(_ task: Int) {
            active[task] = nil
            waiting.append(task)
            let error = DownloadError(.badStatus, "503 Service Unavailable", status: 503)
            var change = change(.waiting, task, .retryAfter(error, next: 2, of: 3, serverAsked: number(0..<2) == 0))
            (change.until, change.delay) = (Recording.startTime + now + .seconds(4), .seconds(4))
            emit(.taskChanged(change))
            emit(.warning(code: .name, message: "something about it", task: TaskID(task)))
        }

        private mutating func pauseOrResume() {
            if let task = paused.popLast() { return enqueue(task, at: 1, .resumedByUser) }
            guard let task = active.keys.max() else { return }
            active[task] = nil
            paused.append(task)
            emit(.taskChanged(change(.suspended, task, .pausedByUser(gaveSlot: true))))
        }

        private mutating func fill() {
            while active.count < 4, !queue.isEmpty {
                let task = queue.removeFirst()
                active[task] = 0
                emit(.taskChanged(change(.started, task)))
                emit(.taskProgress(TaskID(task), received: 0, expected: nil))
            }
        }

        private mutating func turnIndicator() {
            let next: ActivityState =
                switch (indicator, active.isEmpty) {
                case (.notActive, false): .delayingStart
                case (.delayingStart, false), (.delayingEnd, false): .active
                case (.active, true): .delayingEnd
                case (.delayingEnd, true), (.delayingStart, true): .notActive
                default: indicator
                }
            guard next != indicator else { return }
            emit(.indicatorChanged(from: indicator, to: next, tasks: active.count))
            indicator = next
        }
    }
}
