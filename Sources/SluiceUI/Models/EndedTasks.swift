internal import SluiceCore

/// The last tasks that ended, newest first by age; a ring.
///
/// Bounded: what is older is forgotten, and bodies of refusals are not kept here.
struct EndedTasks: Sendable {
    static let capacity = 10_000

    private var ring = RingBuffer<EndedTask>(limit: Self.capacity)
    private(set) var lastSeq = 0
    /// The rows of files that earlier sessions saved, by their paths, but for those saved again since.
    private var earlier: [String: [Int]] = [:]
    /// The newest of those rows for each URL, if its name is a picture's.
    private var pictures: [String: Int] = [:]

    var count: Int { ring.count }

    /// - Parameter age: 0 for the newest. `0..<count`
    subscript(age age: Int) -> EndedTask { ring[age: age] }

    /// The age of the entry with `seq`, or of the oldest if that one is forgotten.
    func age(ofSeq seq: Int) -> Int { min(max(0, lastSeq - seq), max(0, count - 1)) }

    /// Puts what earlier sessions saved before all others, the oldest first; to be called once.
    ///
    /// - Returns: Those whose files this session has saved again by now.
    mutating func prepend(_ files: [KnownFile]) -> [Int] {
        let later = ring.elements
        ring = RingBuffer(limit: Self.capacity)
        for (index, file) in files.enumerated() {
            let seq = index + 1 - files.count
            let row = EndedTask(seq: seq, file)
            ring.append(row)
            if row.isNamedAsPicture { pictures[row.end.url] = seq }
            earlier[file.file.path, default: []].append(seq)
        }
        ring.append(contentsOf: later)
        return later.flatMap { replaced(by: $0.end) }
    }

    /// The file of an earlier session that goes by the number of a task.
    func earlier(_ task: TaskID) -> EndedTask? {
        guard task.rawValue < 0, count > 0 else { return nil }
        let row = self[age: age(ofSeq: task.rawValue + 1)]
        return row.end.task == task ? row : nil
    }

    /// A picture by its name that an earlier session saved for a URL: the one that was saved last.
    func earlierPicture(of url: String) -> EndedTask? {
        guard let seq = pictures[url], lastSeq - seq < count else { return nil }
        return self[age: lastSeq - seq]
    }

    /// - Returns: The rows of an earlier session whose file this task saved again: they tell nothing of it any more.
    mutating func append(_ end: TaskEnd, t: Duration) -> [Int] {
        var end = end
        end.error = end.error?.withoutBody
        lastSeq += 1
        ring.append(EndedTask(seq: lastSeq, t: t, end: end))
        return replaced(by: end)
    }

    private mutating func replaced(by end: TaskEnd) -> [Int] {
        guard !earlier.isEmpty, let file = end.file else { return [] }
        return earlier.removeValue(forKey: file) ?? []
    }
}
