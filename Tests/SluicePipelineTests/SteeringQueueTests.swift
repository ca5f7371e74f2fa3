import SluiceCore
import Testing

@testable import SluicePipeline

/// What is done to many tasks comes in slices, in the order asked for.
struct SteeringQueueTests {
    private func tasks(_ numbers: Int...) -> [TaskID] { numbers.map { TaskID($0) } }

    /// Steps as texts: the task, behind which one.
    private func next(_ queue: inout SteeringQueue, _ limit: Int) -> [String] {
        queue.next(atMost: limit).map { "\($0.task.rawValue)<\($0.former?.rawValue ?? 0)" }
    }

    @Test func slicesGoOnFromBlockToBlock() {
        var queue = SteeringQueue()
        #expect(queue.isEmpty)
        queue.append(.abort, tasks(1, 2, 3))
        queue.append(.pause, [])
        queue.append(.pause, tasks(4, 5))
        #expect(next(&queue, 2) == ["1<0", "2<1"])
        queue.append(.abort, tasks(6))
        #expect(next(&queue, 3) == ["3<2", "4<0", "5<4"])
        #expect(!queue.isEmpty)
        #expect(queue.next(atMost: 9) == [SteeringQueue.Step(steering: .abort, task: TaskID(6), former: nil)])
        #expect(queue.isEmpty && next(&queue, 9) == [])
    }

    /// Each goes before the one that went before it.
    @Test(arguments: [
        (TaskSteering.promote, ["3<0", "2<3", "1<2"]), (.move(by: 1), ["3<0", "2<3", "1<2"]),
        (.move(by: -1), ["1<0", "2<1", "3<2"]), (.toEnd, ["1<0", "2<1", "3<2"]), (.abort, ["1<0", "2<1", "3<2"]),
    ]) func aBlockKeepsItsOrder(steering: TaskSteering, steps: [String]) {
        var queue = SteeringQueue()
        queue.append(steering, tasks(1, 2, 3))
        #expect(next(&queue, 1) + next(&queue, 9) == steps)
    }

    @Test func nothingToDoIsNothingLeft() {
        var queue = SteeringQueue()
        queue.append(.abort, [])
        #expect(queue.isEmpty)
    }
}
