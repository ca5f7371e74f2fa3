import SluiceTestSupport
import Testing

@testable import SluiceCore

struct QueueTests {
    @Test func elementsComeInTheirOrder() throws {
        var random = SeededRandom(seed: 5)
        var queue = Queue<Int>()
        var model: [Int] = []
        for step in 0..<5_000 {
            // It grows and empties again, so that places are reused at every size.
            if Int.random(in: 0..<100, using: &random) < (step / 500 % 2 == 0 ? 60 : 40) {
                queue.append(step)
                model.append(step)
            } else {
                try #require(queue.popFirst() == (model.isEmpty ? nil : model.removeFirst()))
            }
            try #require(queue.count == model.count && queue.isEmpty == model.isEmpty)
            try #require(queue.first == model.first && queue.last == model.last)
            if step % 50 == 0 { try #require(Array(queue) == model && queue.reversed() == model.reversed()) }
        }
    }

    @Test func whatWasTakenIsNotKept() {
        final class Body: Sendable {}
        var queue = Queue<Body>()
        weak var taken: Body?
        for _ in 0..<5 { queue.append(Body()) }
        taken = queue.popFirst()
        #expect(taken == nil && queue.count == 4)
    }

    @Test func anElementIsReplacedWhereItWaits() {
        var queue = Queue<String>()
        for word in ["gone", "first", "second", "third"] { queue.append(word) }
        #expect(queue.popFirst() == "gone")
        queue[0] = "other"
        queue[2] += "!"
        #expect(Array(queue) == ["other", "second", "third!"])
    }

    @Test func aBurstLeavesNoPlacesBehind() {
        var queue = Queue<Int>()
        for number in 0..<10_000 { queue.append(number) }
        while queue.popFirst() != nil {}
        #expect(queue.items.capacity == 0)
    }

    @Test func fewPlacesAreKeptForTheNext() {
        var queue = Queue<Int>()
        queue.append(1)
        #expect(queue.popFirst() == 1 && queue.items.capacity > 0)
    }

    @Test func higherPrioritiesComeFirst() {
        var queue = PriorityQueue<Int>()
        #expect(queue.isEmpty && queue.popFirst() == nil)
        for (number, priority) in [Priority.low, .high, .normal, .high, .low].enumerated() {
            queue.append(number, priority)
        }
        #expect(!queue.isEmpty)
        #expect((0..<6).map { _ in queue.popFirst() } == [1, 3, 2, 0, 4, nil])
    }
}
