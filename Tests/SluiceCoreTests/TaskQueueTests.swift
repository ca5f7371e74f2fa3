import SluiceCore
import SluiceTestSupport
import Testing

struct TaskQueueTests {
    @Test func higherPrioritiesGoFirst() {
        var queue = TaskQueue()
        queue.insert(0, priority: .low)
        queue.insert(1, priority: .normal)
        queue.insert(2, priority: .high)
        queue.insert(3, priority: .high)
        queue.insert(4, priority: .normal, atFront: true)

        #expect(queue.rows(from: 1, count: 9) == [2, 3, 4, 1, 0])
        #expect(queue.band(of: 3) == TaskQueue.Band(.high) && queue.band(of: 4) == TaskQueue.Band(.normal))
        #expect(queue.position(of: 0) == 5)
    }

    @Test func whatIsFirstByItsLevelOnlyCanBePromoted() {
        var queue = TaskQueue()
        queue.insert(0, priority: .normal)
        #expect(queue.moveToFront(0) == true)
        #expect(queue.moveToFront(0) == false, "it is promoted and first already")
        queue.insert(1, priority: .high)
        #expect(queue.rows(from: 1, count: 2) == [0, 1])
    }

    @Test func promotedRowStaysBeforeLaterHighOnes() {
        var queue = TaskQueue()
        queue.insert(0, priority: .normal)
        queue.insert(1, priority: .low)
        #expect(queue.moveToFront(1) == true)
        #expect(queue.moveToFront(1) == false, "it is first already")
        #expect(queue.moveToFront(7) == false, "it is not queued")
        queue.insert(2, priority: .high, atFront: true)

        #expect(queue.rows(from: 1, count: 3) == [1, 2, 0])
        #expect(queue.band(of: 1) == .promoted)
    }

    @Test func moveIsClampedToTheLevel() {
        var queue = TaskQueue()
        for row in 0..<3 { queue.insert(Int32(row), priority: .normal) }
        queue.insert(3, priority: .high)

        #expect(queue.move(0, by: .max) == true)
        #expect(queue.rows(from: 1, count: 4) == [3, 1, 2, 0])
        #expect(queue.move(0, by: 1) == false)
        #expect(queue.move(0, by: .min) == true)
        #expect(queue.rows(from: 1, count: 4) == [3, 0, 1, 2])
        #expect(queue.move(3, by: 5) == false, "it is alone on its level")
    }

    @Test func positionsOutsideTheQueueHaveNoRow() {
        var queue = TaskQueue()
        #expect(queue.popFirst() == nil)
        queue.insert(5, priority: .normal)
        #expect([-1, 0, 2].map(queue.row(at:)) == [nil, nil, nil])
        #expect(queue.rows(from: 0, count: 3) == [])
        #expect(queue.rows(from: 1, count: 0) == [])
        #expect([-1, 4, 6].map(queue.contains) == [false, false, false])
    }

    @Test func everySequenceOfFiveStepsEqualsTheModel() throws {
        let visited = try exploreAll(from: World(rows: 3), depth: 5, steps: \.successors, problem: \.problem)
        #expect(visited == 402_234, "the exploration must not shrink")
    }

    @Test(arguments: 1...4) func randomStepsEqualTheModel(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var world = World(rows: 200)
        for step in 0..<5000 {
            world.takeRandomStep(using: &random)
            if step.isMultiple(of: 50) { world.check() }
            guard world.problem == nil else { break }
        }
        #expect(world.problem == nil)
    }

    @Test func aMillionRowsComeOutInOrder() {
        let count: Int32 = 1_000_000
        var queue = TaskQueue()
        for row in 0..<count { queue.insert(row, priority: row.isMultiple(of: 2) ? .high : .normal) }
        #expect(queue.position(of: count - 1) == Int(count))
        #expect(queue.row(at: 500_001) == 1)

        for row in stride(from: 0, to: count, by: 4) { queue.remove(row) }
        #expect(queue.count == 750_000)

        var isInOrder = true
        for expected in stride(from: Int32(2), to: count, by: 4) where queue.popFirst() != expected {
            isInOrder = false
        }
        for expected in stride(from: Int32(1), to: count, by: 2) where queue.popFirst() != expected {
            isInOrder = false
        }
        #expect(isInOrder)
        #expect(queue.count == 0)
    }
}

/// The queue beside the plainest model of it: an array for each level, the promoted ones first.
private struct World: ExploredWorld {
    var queue = TaskQueue()
    var model: [[Int32]] = [[], [], [], []]
    let rows: Int32
    var problem: String?

    init(rows: Int32) { self.rows = rows }

    var order: [Int32] { model.flatMap(\.self) }

    var successors: [(name: String, next: World)] {
        var steps: [(name: String, next: World)] = [step("pop") { $0.pop() }]
        for row in 0..<rows {
            if queue.contains(row) {
                steps.append(step("remove \(row)") { $0.remove(row) })
                steps.append(step("promote \(row)") { $0.promote(row) })
                for by in [-1, 2] { steps.append(step("move \(row) by \(by)") { $0.move(row, by: by) }) }
            } else {
                for level in [1, 3] {
                    for atFront in [false, true] {
                        let name = "insert \(row) at \(level)\(atFront ? ", front" : "")"
                        steps.append(step(name) { $0.insert(row, level: level, atFront: atFront) })
                    }
                }
            }
        }
        return steps
    }

    mutating func takeRandomStep(using random: inout SeededRandom) {
        let row = Int32.random(in: 0..<rows, using: &random)
        switch Int.random(in: 0..<10, using: &random) {
        case 0: pop()
        case 1...2: remove(row)
        case 3: promote(row)
        case 4...5: move(row, by: Int.random(in: -30...30, using: &random))
        case 6...9 where !queue.contains(row):
            insert(row, level: Int.random(in: 1...3, using: &random), atFront: Bool.random(using: &random))
        default: break
        }
    }

    private mutating func pop() {
        let expected = order.first
        if let expected { removeFromModel(expected) }
        if queue.popFirst() != expected { problem = "popped another row" }
    }

    private mutating func remove(_ row: Int32) {
        let wasQueued = order.contains(row)
        removeFromModel(row)
        if queue.remove(row) != wasQueued { problem = "removal reported wrongly" }
    }

    private mutating func promote(_ row: Int32) {
        let changes = order.contains(row) && model[0].first != row
        if changes {
            removeFromModel(row)
            model[0].insert(row, at: 0)
        }
        if queue.moveToFront(row) != changes { problem = "promotion reported wrongly" }
    }

    private mutating func move(_ row: Int32, by distance: Int) {
        var changes = false
        if let level = model.firstIndex(where: { $0.contains(row) }), let place = model[level].firstIndex(of: row) {
            let target = min(max(place + distance, 0), model[level].count - 1)
            changes = target != place
            model[level].remove(at: place)
            model[level].insert(row, at: target)
        }
        if queue.move(row, by: distance) != changes { problem = "move reported wrongly" }
    }

    private mutating func insert(_ row: Int32, level: Int, atFront: Bool) {
        model[level].insert(row, at: atFront ? 0 : model[level].count)
        queue.insert(row, priority: [.high, .high, .normal, .low][level], atFront: atFront)
    }

    private mutating func removeFromModel(_ row: Int32) {
        for level in model.indices { model[level].removeAll { $0 == row } }
    }

    mutating func check() {
        let order = order
        if queue.rows(from: 1, count: order.count + 1) != order { problem = "order \(order)" }
        if queue.count != order.count { problem = "count" }
        if queue.first != order.first { problem = "first" }
        for (index, row) in order.enumerated() {
            if queue.position(of: row) != index + 1 { problem = "position of \(row)" }
            if queue.row(at: index + 1) != row { problem = "row at \(index + 1)" }
        }
        for (level, priority) in [(1, Priority.high), (2, .normal), (3, .low)] {
            for row in model[level] where queue.band(of: row) != TaskQueue.Band(priority) {
                problem = "level of \(row)"
            }
        }
    }
}

extension TaskQueue {
    fileprivate mutating func insert(_ row: Int32, priority: Priority, atFront: Bool = false) {
        insert(row, band: Band(priority), atFront: atFront)
    }

    /// As a scheduler without a limit for hosts takes it out.
    fileprivate mutating func popFirst() -> Int32? {
        guard let first else { return nil }
        remove(first)
        return first
    }
}
