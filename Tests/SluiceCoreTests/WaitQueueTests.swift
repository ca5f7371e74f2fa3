import SluiceTestSupport
import Testing

@testable import SluiceCore

/// The waiting tasks against a list that is sorted at each look.
struct WaitQueueTests {
    @Test(arguments: [UInt64(1), 2, 3]) func everyOperationEqualsAListModel(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        var queue = WaitQueue()
        var model: [(row: Int32, until: Timestamp)] = []
        func sorted() -> [Int32] {
            model.enumerated().sorted { ($0.element.until, $0.offset) < ($1.element.until, $1.offset) }
                .map(\.element.row)
        }
        for step in 0..<6_000 {
            let row = Int32.random(in: 0..<400, using: &random)
            let time = Timestamp(nanoseconds: .random(in: 0..<200, using: &random))
            switch Int.random(in: 0..<10, using: &random) {
            case 0..<5 where !model.contains { $0.row == row }:
                queue.insert(row, until: time)
                model.append((row, time))
            case 5..<9:
                queue.remove(row)
                model.removeAll { $0.row == row }
            default:
                let due = sorted().first.flatMap { first in
                    model.contains { $0.row == first && $0.until <= time } ? first : nil
                }
                try #require(queue.popDue(now: time) == due, "step \(step)")
                model.removeAll { $0.row == due }
            }
            try #require(queue.count == model.count)
            try #require(queue.first == model.map(\.until).min(), "step \(step)")
            let count = Int.random(in: 0..<60, using: &random)
            try #require(queue.sorted(atMost: count) == Array(sorted().prefix(count)), "step \(step)")
        }
    }

    /// To find the first two of those that are left takes less than to look at all that were there once.
    @Test func whoLeftEarlyIsNotLookedAtForEver() throws {
        let count = Int32(30_000)
        var queue = WaitQueue()
        for row in 0..<count { queue.insert(row, until: Timestamp(nanoseconds: Int64(row))) }
        let all = ContinuousClock().measure { #expect(queue.sorted(atMost: .max).count == Int(count)) }
        for row in 1..<count - 2 { queue.remove(row) }
        #expect(queue.sorted(atMost: 2) == [0, count - 2])
        // Not one alone, which may have had to wait for a processor.
        let times = (0..<5).map { _ in ContinuousClock().measure { _ = queue.sorted(atMost: 2) } }
        let shortest = try #require(times.min())
        #expect(shortest < all)
    }
}
