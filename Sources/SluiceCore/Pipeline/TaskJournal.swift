/// Remembers what happened to tasks: to those that began, while they live, and to the last that ended.
///
/// Pure, fed with events. Keeps nothing for a task that only waits in the queue, so that a
/// million of those cost nothing, unless one of its receipts was cancelled and others still wait;
/// and of ended tasks neither headers nor bodies of errors.
public struct TaskJournal: Sendable {
    /// One step in the life of a task.
    public struct Entry: Equatable, Sendable {
        /// Since the session started.
        public let t: Duration
        /// As the event that told of it.
        public let event: String
        /// From 1.
        public var attempt: Int?
        /// Of an answer.
        public var status: Int?
        /// Why, as a sentence.
        public var reason: String?

        /// A step; attempt, status and reason are set where the event has them.
        public init(t: Duration, event: String) { (self.t, self.event) = (t, event) }

        /// The first place of a task that did not start at once.
        public static func queued(at t: Duration) -> Entry {
            var entry = Entry(t: t, event: "task.queued")
            entry.attempt = 1
            return entry
        }
    }

    struct Record: Sendable {
        var entries: [Entry] = []
        var receipts: [TaskReport.Receipt] = []
        var end: TaskEnd?

        mutating func dropBodies() {
            guard let error = end?.error, error.body != nil else { return }
            end?.error = error.withoutBody
            for index in receipts.indices { receipts[index].error = receipts[index].error?.withoutBody }
        }
    }

    /// Ended tasks that are remembered.
    public static let endedLimit = 10_000
    /// Ended tasks of which what a server sent with a refusal is remembered: 4 KiB of each at most.
    public static let bodyLimit = 256
    /// Receipts with an outcome that are remembered of one task.
    public static let receiptLimit = 1_000
    private static let entryLimit = 200

    /// Whether tasks that end are remembered; not while more end at once than will be.
    public var remembersEnds = true

    private var records: [TaskID: Record] = [:]
    private var ended = Queue<TaskID>()
    /// The last task that found a free slot when it was submitted.
    private var startedAtOnce: TaskID?

    /// Remembers nothing yet.
    public init() {}

    /// Takes the next event.
    ///
    /// - Parameters:
    ///   - event: Any; most mean nothing here.
    ///   - now: The time of the event.
    ///   - submitted: When a live task was submitted, since the session started; asked for its first step and its end.
    public mutating func take(
        _ event: PipelineEvent,
        now: Timestamp,
        submitted: (TaskID) -> Duration? = { _ in nil }
    ) {
        switch event.kind {
        case .requestSubmitted(let submission) where submission.outcome == .started: startedAtOnce = submission.task
        case .taskChanged(let change):
            let isFirst = records[change.task]?.entries.isEmpty ?? true
            // Every task is queued first, or started at once; the rest of its life brings this one back.
            if isFirst, change.phase == .queued, change.reason == nil { return }
            if isFirst, change.phase != .queued, change.task != startedAtOnce, let time = submitted(change.task) {
                add(.queued(at: time), to: change.task)
            }
            var entry = Entry(t: event.t, event: event.kind.name)
            entry.attempt = change.attempt
            entry.reason = change.reason?.sentence(now: now)
            add(entry, to: change.task)
        case .taskResponse(let task, let head, _):
            var entry = Entry(t: event.t, event: event.kind.name)
            entry.status = head.status
            add(entry, to: task)
        case .taskFinished(let end) where !remembersEnds: records[end.task] = nil
        case .taskFinished(let end): finish(end, event, submitted: submitted(end.task))
        // Those of a task come behind its end, but for what was cancelled of one that goes on.
        case .receiptFinished where !remembersEnds: break
        case .receiptFinished(let end): finish(end)
        default: break
        }
    }

    /// Adds what is remembered of a task to a report.
    ///
    /// - Returns: Whether anything is.
    @discardableResult
    public func complete(_ report: inout TaskReport) -> Bool {
        guard let record = records[report.task] else { return false }
        report.history += record.entries
        report.receipts = (record.receipts + report.receipts).sorted { $0.receipt < $1.receipt }
        report.end = record.end
        return true
    }

    /// What is remembered of a task that ended.
    public func ended(_ task: TaskID) -> TaskReport? {
        guard let end = records[task]?.end else { return nil }
        var report = TaskReport(task: task, url: end.url, state: .ended)
        complete(&report)
        return report
    }

    private mutating func add(_ entry: Entry, to task: TaskID) {
        change(task) { record in
            record.entries.append(entry)
            // A task that is paused and resumed for ever keeps its beginning and its newest steps.
            if record.entries.count > Self.entryLimit { record.entries.remove(at: Self.entryLimit / 2) }
        }
    }

    private mutating func finish(_ end: TaskEnd, _ event: PipelineEvent, submitted: Duration?) {
        let last = Entry(t: event.t, event: event.kind.name)
        change(end.task) { record in
            let submission = submitted.map { Entry(t: $0, event: "request.submitted") }
            if record.entries.isEmpty {
                // What ends without a step of its own waited all the time.
                record.entries = [submission, submitted.map { .queued(at: $0) }, last].compactMap(\.self)
            } else {
                if let submission { record.entries.insert(submission, at: 0) }
                record.entries.append(last)
            }
            record.end = end
        }
        ended.append(end.task)
        if ended.count > Self.bodyLimit { records[ended[ended.count - 1 - Self.bodyLimit]]?.dropBodies() }
        if ended.count > Self.endedLimit, let forgotten = ended.popFirst() { records[forgotten] = nil }
    }

    private mutating func finish(_ end: ReceiptEnd) {
        var receipt = TaskReport.Receipt(end.receipt, tag: end.tag)
        (receipt.outcome, receipt.file, receipt.error) = (end.outcome, end.file, end.error)
        change(end.task) { record in
            record.receipts.append(receipt)
            if record.receipts.count > Self.receiptLimit { record.receipts.removeFirst() }
        }
    }

    /// Changes a record where it lies: a hundred thousand tasks may be cancelled in one turn, and records are large.
    private mutating func change(_ task: TaskID, _ body: (inout Record) -> Void) {
        if let place = records.index(forKey: task) {
            body(&records.values[place])
        } else {
            var record = Record()
            body(&record)
            records[task] = record
        }
    }
}
