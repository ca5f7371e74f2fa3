internal import SluiceCore

/// What is still to be done to many tasks, in the order in which the user asked for it.
///
/// It is done in slices, so that a key over a queue of 100,000 keeps nobody waiting.
struct SteeringQueue {
    /// One thing to do to one task.
    struct Step: Equatable {
        let steering: TaskSteering
        let task: TaskID
        /// The one before it of the same block, which it may not overtake; `nil` for the first.
        let former: TaskID?
    }

    private struct Block {
        let steering: TaskSteering
        let tasks: [TaskID]
        var next = 0
    }

    private var blocks = ArraySlice<Block>()

    var isEmpty: Bool { blocks.isEmpty }

    /// Takes what is to be done to several tasks.
    ///
    /// - Parameters:
    ///   - steering: What, to each of them.
    ///   - tasks: In the order in which they wait, which they keep among each other.
    mutating func append(_ steering: TaskSteering, _ tasks: [TaskID]) {
        if tasks.isEmpty { return }
        let isBackward =
            switch steering {
            // Each goes before the one that went before it.
            case .promote: true
            case .move(let places): places > 0
            default: false
            }
        blocks.append(Block(steering: steering, tasks: isBackward ? tasks.reversed() : tasks))
    }

    /// Takes out what is to be done next.
    ///
    /// - Parameter limit: Steps at most, of one block or of several.
    /// - Returns: Steps in order; fewer than `limit` only where nothing is left.
    /// - Complexity: O(`limit`).
    mutating func next(atMost limit: Int) -> [Step] {
        var steps: [Step] = []
        while steps.count < limit, var block = blocks.popFirst() {
            let end = min(block.tasks.count, block.next + limit - steps.count)
            for index in block.next..<end {
                let former = index > 0 ? block.tasks[index - 1] : nil
                steps.append(Step(steering: block.steering, task: block.tasks[index], former: former))
            }
            block.next = end
            if end < block.tasks.count { blocks.insert(block, at: blocks.startIndex) }
        }
        return steps
    }
}
