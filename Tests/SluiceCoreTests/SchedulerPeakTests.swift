import SluiceTestSupport
import Testing

@testable import SluiceCore

/// What a scheduler keeps of a long queue that is over.
struct SchedulerPeakTests {
    @Test func aPeakIsGivenBack() throws {
        var scheduler = DownloadScheduler()
        let tasks = (0..<20_000).map { submit($0, to: &scheduler) }
        #expect(scheduler.tasks.rowCount == 20_000 && scheduler.queue.forest.rowCount == 20_000)
        _ = scheduler.pause(tasks[10])
        for (number, task) in tasks.enumerated() where number != 10 { #expect(scheduler.end(task)?.count == 1) }

        #expect(scheduler.liveCount == 1 && scheduler.pausedCount == 1)
        #expect(scheduler.tasks.rowCount <= 1_024 && scheduler.receipts.rowCount <= 1_024)
        #expect(scheduler.queue.forest.rowCount <= 1_024)
        #expect(scheduler.keys.capacity <= 512)
        #expect(scheduler.taskIDs.heldCount <= 1_025 && scheduler.receiptIDs.heldCount <= 1_025)
        #expect(scheduler.paused(atMost: 9).map(\.id) == [tasks[10]])

        let later = submit(20_000, to: &scheduler)
        let isResumed = scheduler.resume(tasks[10])
        #expect(isResumed)
        #expect(scheduler.queued(from: 1, count: 9).map(\.id) == [tasks[10], later])
    }

    @Test(arguments: [UInt64(1), 2]) func peaksAndDrainsEqualAnArray(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        var scheduler = DownloadScheduler()
        // The tasks and the numbers in their URLs, as they are queued, and those that are paused.
        var queue: [(task: TaskID, number: Int)] = []
        var paused: [(task: TaskID, number: Int)] = []
        for step in 0..<27_000 {
            let isFilling = step % 9_000 < 3_000
            if isFilling || Int.random(in: 0..<10, using: &random) == 0 {
                queue.append((submit(step, to: &scheduler), step))
            } else if !queue.isEmpty {
                let taken = queue.remove(at: Int.random(in: 0..<queue.count, using: &random))
                try #require(scheduler.end(taken.task)?.count == 1)
                try #require(scheduler.task(taken.task)?.id == nil)
                try #require(scheduler.liveTask(for: key(taken.number))?.id == nil)
            }
            if step.isMultiple(of: 40), !queue.isEmpty {
                let taken = queue.remove(at: Int.random(in: 0..<queue.count, using: &random))
                let isPaused = scheduler.pause(taken.task).didChange
                try #require(isPaused)
                paused.append(taken)
            }
            if step.isMultiple(of: 45), !paused.isEmpty {
                let taken = paused.remove(at: Int.random(in: 0..<paused.count, using: &random))
                let isResumed = scheduler.resume(taken.task)
                try #require(isResumed)
                queue.insert(taken, at: 0)
            }
            guard step.isMultiple(of: 200) else { continue }
            let order = scheduler.queued(from: 1, count: queue.count + 1).map(\.id)
            try #require(order == queue.map(\.task), "step \(step)")
            try #require(scheduler.paused(atMost: paused.count + 1).map(\.id) == paused.map(\.task).sorted())
            try #require(queue.allSatisfy { scheduler.liveTask(for: key($0.number))?.id == $0.task })
            try #require(scheduler.liveCount == queue.count + paused.count)
        }
    }

    private func key(_ number: Int) -> MergeKey { MergeKey(url: "http://h/\(number)") }

    private func submit(_ number: Int, to scheduler: inout DownloadScheduler) -> TaskID {
        scheduler.submit(
            key(number),
            options: .standard,
            source: .program,
            now: Timestamp(nanoseconds: 0)
        ).task
    }
}
