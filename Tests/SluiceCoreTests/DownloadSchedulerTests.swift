import SluiceCore
import SluiceTestSupport
import Testing

struct DownloadSchedulerTests {
    private let now = Timestamp(nanoseconds: 0)

    @Test func requestForADetachedTaskJoinsIt() throws {
        var scheduler = DownloadScheduler(limit: 1)
        let first = submit("a", to: &scheduler)
        let started = scheduler.startNext()
        let start = try #require(started)

        #expect(scheduler.cancel(first.receipt)?.effect == .detached)
        let second = submit("a", to: &scheduler)

        #expect(second.placement == .joined)
        #expect(second.task == start.task)
        #expect(scheduler.end(start.task)?.map(\.id) == [second.receipt])
    }

    @Test func equalRequestWaitsForTheSlotOfAnAbortedTransfer() throws {
        var scheduler = DownloadScheduler(limit: 1)
        scheduler.lastReceipt = .abort
        let first = submit("a", to: &scheduler)
        let started = scheduler.startNext()
        let start = try #require(started)

        #expect(scheduler.cancel(first.receipt)?.effect == .aborted(start.transfer))
        let second = submit("a", to: &scheduler)
        #expect(second.placement == .created)
        #expect(scheduler.startNext() == nil)

        scheduler.transferEnded(start.transfer)
        #expect(scheduler.startNext()?.task == second.task)
    }

    @Test func lifoStartsTheLatestFirst() throws {
        var scheduler = DownloadScheduler(limit: 1, order: .lifo)
        var started: [Int] = []
        func number(_ start: DownloadScheduler.Start) -> Int { start.task.rawValue }
        for name in 1...7 { _ = submit("\(name)", to: &scheduler) }
        var running = scheduler.startNext()
        // The first was alone when it was submitted, and would have started then.
        #expect(running.map(number) == 7)
        scheduler = DownloadScheduler(limit: 1, order: .lifo)
        for name in 1...7 {
            _ = submit("\(name)", to: &scheduler)
            running = scheduler.startNext() ?? running
        }
        while let current = running {
            started.append(number(current))
            if number(current) == 7 { for name in 8...14 { _ = submit("\(name)", to: &scheduler) } }
            _ = scheduler.end(current.task)
            scheduler.transferEnded(current.transfer)
            running = scheduler.startNext()
        }
        #expect(started == [1, 7] + (8...14).reversed() + (2...6).reversed())
    }

    @Test(arguments: [Settings.Order.fifo, .lifo])
    func everyOrderOfSixSubmitsWithPrioritiesAndOnePromotionEqualsAList(order: Settings.Order) {
        var checked = 0
        for code in 0..<729 {
            let priorities = (0..<6).map { Priority.allCases[code / power(3, $0) % 3] }
            for promoted in 0..<6 {
                for moment in promoted..<6 {
                    let real = realOrder(priorities, order, promoted, moment)
                    let model = listOrder(priorities, order, promoted, moment)
                    guard real == model else {
                        Issue.record(
                            "\(priorities) \(order), \(promoted) promoted after \(moment): \(real), not \(model)"
                        )
                        return
                    }
                    checked += 1
                }
            }
        }
        #expect(checked == 729 * 21, "the exploration must not shrink")
    }

    @Test func aJoinerOfHigherPriorityRaisesTheTaskAndItsCancelLowersIt() throws {
        var scheduler = DownloadScheduler(limit: 1)
        scheduler.isSuspended = true
        let low = submit("low", priority: .low, to: &scheduler)
        let normal = submit("normal", to: &scheduler)
        let high = submit("low", priority: .high, to: &scheduler)
        #expect(scheduler.position(of: low.task) == 1)

        _ = scheduler.cancel(high.receipt)
        #expect(scheduler.position(of: low.task) == 2)
        #expect(scheduler.position(of: normal.task) == 1)

        #expect(scheduler.setPriority(low.task, .high) == true)
        _ = submit("low", priority: .low, to: &scheduler)
        #expect(scheduler.position(of: low.task) == 1, "what the user set holds")
    }

    @Test func loweringGoesAheadOfTheNewLevelAndRaisingBehindIt() {
        var scheduler = DownloadScheduler(limit: 1)
        scheduler.isSuspended = true
        let tasks = ["a", "b", "c", "d"].map { submit($0, priority: $0 < "c" ? .high : .normal, to: &scheduler).task }
        _ = scheduler.setPriority(tasks[0], .normal)
        #expect(scheduler.queued(from: 1, count: 9).map(\.key.url) == ["b", "a", "c", "d"])
        _ = scheduler.setPriority(tasks[3], .high)
        #expect(scheduler.queued(from: 1, count: 9).map(\.key.url) == ["b", "d", "a", "c"])
    }

    @Test func aPriorityThatTheUserSetsTakesAPromotedTaskBack() {
        var scheduler = DownloadScheduler(limit: 1)
        scheduler.isSuspended = true
        let tasks = ["a", "b", "c"].map { submit($0, to: &scheduler).task }
        let high = submit("h", priority: .high, to: &scheduler).task
        for task in [tasks[2], tasks[1]] { _ = scheduler.promote(task) }
        #expect(scheduler.queued(from: 1, count: 9).map(\.key.url) == ["b", "c", "h", "a"])
        let isTakenBack = scheduler.setPriority(tasks[1], .normal)
        #expect(isTakenBack, "though it has that")
        #expect(scheduler.queued(from: 1, count: 9).map(\.key.url) == ["c", "h", "b", "a"])
        let isMovedAgain = scheduler.setPriority(tasks[1], .normal)
        #expect(!isMovedAgain, "it has that, and stands there")
        #expect(scheduler.setPriority(tasks[1], .low) == true)
        #expect(scheduler.queued(from: 1, count: 9).map(\.key.url) == ["c", "h", "a", "b"])
        #expect(scheduler.setPriority(tasks[2], .high) == true)
        #expect(scheduler.queued(from: 1, count: 9).map(\.key.url) == ["h", "c", "a", "b"])
        // A claim that is strengthened is nobody's word about its place.
        _ = scheduler.promote(tasks[0])
        _ = submit("a", priority: .high, to: &scheduler)
        #expect(scheduler.position(of: tasks[0]) == 1 && scheduler.position(of: high) == 2)
    }

    @Test(arguments: [false, true]) func aRestoredPriorityStandsAtEitherEndOfItsLevel(atFront: Bool) {
        var scheduler = DownloadScheduler(limit: 1)
        scheduler.isSuspended = true
        let tasks = ["a", "b", "c"].map { submit($0, priority: .low, to: &scheduler).task }
        scheduler.restorePriority(tasks[1], .low, atFront: atFront)
        let order = atFront ? ["b", "a", "c"] : ["a", "c", "b"]
        #expect(scheduler.queued(from: 1, count: 9).map(\.key.url) == order)
    }

    @Test func raisingTheLimitFillsAllFreeSlotsAndLoweringLetsThemEnd() throws {
        var scheduler = DownloadScheduler(limit: 1, order: .lifo)
        for url in ["a", "b", "c", "d"] {
            _ = submit(url, to: &scheduler)
        }
        let started = scheduler.startNext()
        let first = try #require(started)
        #expect(scheduler.startNext() == nil)
        scheduler.setLimit(3)
        #expect(scheduler.startNext()?.task.rawValue == 3)
        #expect(scheduler.startNext()?.task.rawValue == 2)
        #expect(scheduler.startNext() == nil)
        scheduler.setLimit(2)
        _ = scheduler.end(first.task)
        scheduler.transferEnded(first.transfer)
        #expect(scheduler.startNext() == nil, "two still run")
    }

    @Test func aPrefetchThatTheUserRaisesCompetesLikeTheOthers() {
        var scheduler = DownloadScheduler(limit: 4)
        scheduler.isSuspended = true
        let names = ["p1", "p2", "p3", "p4", "p5"]
        let tasks = names.map { submit($0, priority: .low, source: .prefetch(BatchID(1)), to: &scheduler).task }
        _ = submit("n", to: &scheduler)
        #expect(scheduler.setPriority(tasks[3], .high) == true)
        #expect(scheduler.queued(from: 1, count: 9).map(\.key.url) == ["p4", "n", "p1", "p2", "p3", "p5"])
        _ = scheduler.setPriority(tasks[4], .normal)
        _ = scheduler.setPriority(tasks[4], .low)
        #expect(
            scheduler.queued(from: 1, count: 9).map(\.key.url) == ["p4", "n", "p5", "p1", "p2", "p3"],
            "not for ever"
        )

        scheduler.isSuspended = false
        let started = (0..<4).compactMap { _ in scheduler.startNext()?.task }
        #expect(started == [tasks[3], TaskID(6), tasks[4], tasks[0]])
        scheduler.setLimit(8)
        #expect(scheduler.startNext()?.task == tasks[1])
        #expect(scheduler.startNext() == nil, "three hold the share")
        _ = scheduler.setPriority(tasks[0], .high)
        #expect(scheduler.startNext()?.task == tasks[2], "also one that runs leaves it")
    }

    @Test func prefetchesHoldAtMostThreeSlotsAndHoldUpNobody() throws {
        var scheduler = DownloadScheduler(limit: 6)
        for name in 1...6 { _ = submit("p\(name)", priority: .low, source: .prefetch(BatchID(1)), to: &scheduler) }
        var starts: [DownloadScheduler.Start] = []
        while let start = scheduler.startNext() { starts.append(start) }
        #expect(starts.count == 3)

        _ = submit("wanted", priority: .low, to: &scheduler)
        #expect(scheduler.startNext()?.task.rawValue == 7)
        let joined = submit("p5", to: &scheduler)
        #expect(scheduler.startNext()?.task == joined.task, "a request that is no prefetch takes it out of the share")

        _ = scheduler.end(starts[0].task)
        scheduler.transferEnded(starts[0].transfer)
        #expect(scheduler.startNext()?.task.rawValue == 4)
        #expect(scheduler.startNext() == nil)
    }

    @Test func aPromotedPrefetchHoldsNoneOfTheShare() {
        var scheduler = DownloadScheduler(limit: 8)
        let tasks = (1...9).map {
            submit("p\($0)", priority: .low, source: .prefetch(BatchID(1)), to: &scheduler).task
        }
        var starts: [DownloadScheduler.Start] = []
        while let start = scheduler.startNext() { starts.append(start) }
        #expect(starts.count == 3)
        for task in tasks[3...5] { _ = scheduler.promote(task) }
        while let start = scheduler.startNext() { starts.append(start) }
        #expect(starts.map(\.task) == Array(tasks[0...2]) + tasks[3...5].reversed())
        _ = scheduler.end(starts[0].task)
        scheduler.transferEnded(starts[0].transfer)
        #expect(scheduler.startNext()?.task == tasks[6])
        #expect(scheduler.startNext() == nil, "three hold the share")
    }

    @Test func whoJoinsACancelledPrefetchThatRunsTakesItOutOfTheShare() throws {
        var scheduler = DownloadScheduler(limit: 8)
        let first = submit("p1", priority: .low, source: .prefetch(BatchID(1)), to: &scheduler)
        for name in 2...5 { _ = submit("p\(name)", priority: .low, source: .prefetch(BatchID(1)), to: &scheduler) }
        while scheduler.startNext() != nil {}
        #expect(scheduler.cancel(first.receipt)?.effect == .detached)
        #expect(scheduler.startNext() == nil, "three hold the share")
        let joined = submit("p1", priority: .low, to: &scheduler)
        #expect(joined.placement == .joined)
        #expect(scheduler.startNext()?.task == TaskID(4))
        #expect(scheduler.startNext() == nil)
    }

    @Test(arguments: [Priority.low, .normal])
    func aPrefetchOfWhatRunsForNobodyHoldsTheShare(priority: Priority) throws {
        var scheduler = DownloadScheduler(limit: 8)
        let left = (1...2).map { submit("d\($0)", priority: priority, to: &scheduler) }
        while scheduler.startNext() != nil {}
        for one in left { #expect(scheduler.cancel(one.receipt)?.effect == .detached) }
        let names = ["d1", "d2", "p1", "p2", "p3"]
        for name in names { _ = submit(name, priority: .low, source: .prefetch(BatchID(1)), to: &scheduler) }
        #expect(scheduler.startNext()?.task == TaskID(3))
        #expect(scheduler.startNext() == nil, "three hold the share")
    }

    /// However often tasks are moved to one place, those around it get new ranks, and not all.
    @Test(arguments: [-1, 1, -1_000, 1_000, 0]) func ranksGrowAlongTheQueue(places: Int) throws {
        var scheduler = DownloadScheduler(limit: 1)
        scheduler.isSuspended = true
        var (ranks, changes) = ([TaskID: Int64](), 0)
        func keep(_ task: TaskID) {
            guard let rank = scheduler.rank(task) else {
                for (task, rank) in scheduler.rankAnew(around: task) {
                    ranks[task] = rank
                    changes += 1
                }
                return
            }
            (ranks[task], changes) = (rank, changes + 1)
        }
        for number in 1...3_000 { keep(submit("\(number)", to: &scheduler).task) }
        changes = 0
        let block = (1_000..<1_500).map { TaskID($0) }
        var random = SeededRandom(seed: 3)
        for _ in 1...3 {
            for task in places > 0 ? block.reversed() : block {
                let some = places == 0 ? Int.random(in: -9...9, using: &random) : places
                if scheduler.move(task, by: some) { keep(task) }
            }
            let order = scheduler.queued(from: 1, count: 3_000).compactMap { ranks[$0.id] }
            #expect(order.count == 3_000 && zip(order, order.dropFirst()).allSatisfy { $0 < $1 })
        }
        #expect(changes < 1_500 * 20, "\(changes)")
    }

    /// One slot, and three tasks, of which the first waits for its next attempt.
    private func firstOfThreeWaits(
        until: Timestamp
    ) throws -> (scheduler: DownloadScheduler, first: DownloadScheduler.Start) {
        var scheduler = DownloadScheduler(limit: 1)
        for url in ["a", "b", "c"] { _ = submit(url, to: &scheduler) }
        let started = scheduler.startNext()
        let first = try #require(started)
        scheduler.wait(first.task, until: until, delay: until - now)
        scheduler.transferEnded(first.transfer)
        return (scheduler, first)
    }

    @Test func aWaitingTaskGoesToTheFrontWhenItsTimeComes() throws {
        let until = now + .seconds(2)
        var (scheduler, first) = try firstOfThreeWaits(until: until)
        #expect(scheduler.nextWait == until)
        #expect(scheduler.startNext()?.task.rawValue == 2, "a waiting task holds no slot")

        let early = scheduler.wakeNext(now: until + .nanoseconds(-1))
        let (woken, more) = (scheduler.wakeNext(now: until), scheduler.wakeNext(now: until))
        #expect(early == nil && woken == first.task && more == nil)
        #expect(scheduler.position(of: first.task) == 1)
        #expect(scheduler.task(first.task)?.failedAttempts == 1)
    }

    @Test func aWaitThatIsEndedEarlyGoesToTheFrontAndDoesNotComeAgain() throws {
        let until = now + .seconds(2)
        var (scheduler, first) = try firstOfThreeWaits(until: until)
        let (ended, again, other) = (
            scheduler.endWait(first.task), scheduler.endWait(first.task), scheduler.endWait(TaskID(2))
        )
        #expect(ended && !again && !other)
        #expect(scheduler.position(of: first.task) == 1)
        let woken = scheduler.wakeNext(now: until)
        #expect(woken == nil && scheduler.nextWait == nil && scheduler.waitingCount == 0)
    }

    @Test func joiningAWaitingOrPausedTaskLeavesItThere() throws {
        var scheduler = DownloadScheduler(limit: 1)
        let task = submit("a", to: &scheduler).task
        #expect(scheduler.pause(task).didChange)
        #expect(submit("a", to: &scheduler).placement == .joined)
        #expect(scheduler.task(task)?.phase == .paused)
        #expect(scheduler.startNext() == nil)
    }

    @Test(
        arguments: [
            (Settings.Order.fifo, Settings.LastReceipt.finish), (.fifo, .abort), (.lifo, .finish), (.lifo, .abort),
        ]
    )
    func invariantsHoldForEverySequenceOfEvents(order: Settings.Order, lastReceipt: Settings.LastReceipt) throws {
        let world = SchedulerWorld(order: order, lastReceipt: lastReceipt)
        let visited = try exploreAll(from: world, depth: 6, steps: \.successors, problem: \.problem)
        #expect(visited == (lastReceipt == .finish ? 87_860 : 84_996), "the exploration must not shrink")
    }

    @Test func aHundredThousandTasksAreQueuedFoundAndEnded() {
        var scheduler = DownloadScheduler(limit: 1)
        scheduler.isSuspended = true
        let count = 100_000
        for number in 1...count { _ = submit("http://origin.example/\(number)", to: &scheduler) }
        #expect(scheduler.queuedCount == count)
        #expect(scheduler.position(of: TaskID(77_777)) == 77_777)
        #expect(scheduler.queued(from: 99_999, count: 10).map(\.id.rawValue) == [99_999, 100_000])
        for number in 1...count { _ = scheduler.cancel(ReceiptID(number)) }
        #expect(scheduler.liveCount == 0)
        #expect(scheduler.queuedCount == 0)
        #expect(scheduler.liveReceiptCount == 0)
    }

    // MARK: - The list model

    private func realOrder(_ priorities: [Priority], _ order: Settings.Order, _ promoted: Int, _ moment: Int) -> [Int] {
        var scheduler = DownloadScheduler(limit: 1, order: order)
        scheduler.isSuspended = true
        for (index, priority) in priorities.enumerated() {
            _ = submit("\(index)", priority: priority, to: &scheduler)
            if index == moment { _ = scheduler.promote(TaskID(promoted + 1)) }
        }
        return scheduler.queued(from: 1, count: 6).map { $0.id.rawValue - 1 }
    }

    private func listOrder(_ priorities: [Priority], _ order: Settings.Order, _ promoted: Int, _ moment: Int) -> [Int] {
        var levels: [[Int]] = [[], [], [], []]
        for (index, priority) in priorities.enumerated() {
            let level = 3 - Int(priority.rawValue)
            levels[level].insert(index, at: order == .fifo ? levels[level].count : 0)
            // Promoting the first of the promoted changes nothing.
            guard index == moment, levels[0].first != promoted else { continue }
            for level in levels.indices { levels[level].removeAll { $0 == promoted } }
            levels[0].insert(promoted, at: 0)
        }
        return Array(levels.joined())
    }

    private func power(_ base: Int, _ exponent: Int) -> Int {
        (0..<exponent).reduce(1) { product, _ in product * base }
    }

    private func submit(
        _ url: String,
        priority: Priority = .normal,
        source: DownloadRequest.Source = .program,
        to scheduler: inout DownloadScheduler
    ) -> (receipt: ReceiptID, task: TaskID, placement: DownloadScheduler.Placement) {
        scheduler.submit(
            MergeKey(url: url),
            options: RequestOptions(priority: priority),
            source: source,
            now: now
        )
    }
}
