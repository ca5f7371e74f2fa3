internal import SluiceCore

/// The last tasks that ended, newest first by age; a ring.
///
/// Bounded: what is older is forgotten, and bodies of refusals are not kept here.
struct EndedTasks: Sendable {
    static let capacity = 10_000

    private var ring = RingBuffer<EndedTask>(limit: Self.capacity)
    private(set) var lastSeq = 0

    var count: Int { ring.count }

    /// - Parameter age: 0 for the newest. `0..<count`
    subscript(age age: Int) -> EndedTask { ring[age: age] }

    /// The age of the entry with `seq`, or of the oldest if that one is forgotten.
    func age(ofSeq seq: Int) -> Int { min(max(0, lastSeq - seq), max(0, count - 1)) }

    /// Puts what earlier sessions saved before all others, the oldest first; to be called once.
    mutating func prepend(_ files: [KnownFile]) {
        let later = ring.elements
        ring = RingBuffer(limit: Self.capacity)
        for (index, file) in files.enumerated() { ring.append(EndedTask(seq: index + 1 - files.count, file)) }
        ring.append(contentsOf: later)
    }

    /// The file of an earlier session that goes by the number of a task.
    func earlier(_ task: TaskID) -> EndedTask? {
        guard task.rawValue < 0, count > 0 else { return nil }
        let row = self[age: age(ofSeq: task.rawValue + 1)]
        return row.end.task == task ? row : nil
    }

    mutating func append(_ end: TaskEnd, t: Duration) {
        var end = end
        end.error = end.error?.withoutBody
        lastSeq += 1
        ring.append(EndedTask(seq: lastSeq, t: t, end: end))
    }
}
