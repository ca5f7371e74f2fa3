internal import SluiceCore

/// The tasks that are answered from disk, and which of them may have files open.
///
/// The others wait by priority until there is room. Nothing of an answer is left here once it is removed.
struct AnswerDesk {
    /// Answers that may have files open at once.
    static let limit = 32

    private var answers: [TaskID: DiskAnswer] = [:]
    /// Those that may have files open.
    private var open: Set<TaskID> = []
    /// Those that wait for one of them to end; what was removed since is passed over.
    private var waiting = PriorityQueue<(task: TaskID, serial: Int)>()
    private var lastSerial = 0

    var isEmpty: Bool { answers.isEmpty }
    var tasks: [TaskID] { Array(answers.keys) }
    var all: some Sequence<DiskAnswer> { answers.values }

    /// Whether one more may have files open.
    var hasRoom: Bool { open.count < Self.limit }

    /// Whether ``nextWaiting()`` may have one.
    var canOpen: Bool { !answers.isEmpty && hasRoom && !waiting.isEmpty }

    subscript(task: TaskID) -> DiskAnswer? { answers[task] }

    /// The answer of a task, unless another one took its place since.
    subscript(task: TaskID, serial serial: Int) -> DiskAnswer? {
        answers[task].flatMap { $0.serial == serial ? $0 : nil }
    }

    /// - Returns: What tells the next answer from all before it.
    mutating func nextSerial() -> Int {
        lastSerial += 1
        return lastSerial
    }

    mutating func add(_ answer: DiskAnswer) { answers[answer.task] = answer }

    /// Lets an answer wait until there is room.
    mutating func wait(_ answer: DiskAnswer, _ priority: Priority) {
        waiting.append((answer.task, answer.serial), priority)
    }

    /// The answer may have files open from now on.
    mutating func open(_ answer: DiskAnswer) { open.insert(answer.task) }

    /// Takes the next one that waits.
    ///
    /// - Returns: `nil` if that one is over already, or none waits.
    mutating func nextWaiting() -> DiskAnswer? {
        waiting.popFirst().flatMap { self[$0.task, serial: $0.serial] }
    }

    /// The answer that writes a file.
    func writing(_ file: FileID) -> DiskAnswer? {
        open.lazy.compactMap { [answers] in answers[$0] }.first { $0.body.file == file }
    }

    /// An answer is over, or given up.
    @discardableResult
    mutating func remove(_ task: TaskID) -> DiskAnswer? {
        // Asked for every task that ends, and looking there costs a hash.
        guard !answers.isEmpty, let answer = answers.removeValue(forKey: task) else { return nil }
        open.remove(task)
        // All that waited are over then, and would else be passed over one by one.
        if answers.isEmpty { waiting = PriorityQueue() }
        return answer
    }
}
