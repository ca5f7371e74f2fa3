internal import SluiceCore

/// What happened to tasks, learnt from events: receipts with their outcomes, attempts, answers and reasons.
///
/// Bounded: tasks that run or wait for a retry, the last ``pendingLimit`` that were only
/// submitted, and the last ``endedLimit`` that ended. Lost events leave gaps, never
/// something wrong that is shown as known: once ``settle(live:)`` was called, what may
/// have ended with them is forgotten.
struct TaskRecords: Sendable {
    static let pendingLimit = 2_000
    static let endedLimit = 500
    static let receiptLimit = 100
    static let attemptLimit = 8
    static let reasonLimit = 12
    static let standLimit = 16

    /// One use of a slot.
    struct Attempt: Sendable {
        /// Since the start of the session, as all times here.
        var started: Duration
        var answered: Duration?
        var head: ResponseHead?
        var ended: Duration?
        /// Why it was no success.
        var problem: Why?

        /// What it failed with, where another one follows.
        var failure: DownloadError? {
            if case .retryAfter(let error, _, _, _)? = problem { error } else { nil }
        }
    }

    /// A time without a slot, up to the next one or the next attempt.
    struct Stand: Equatable, Sendable {
        enum Kind: Sendable {
            case queued
            case paused
            /// For the time of the next attempt.
            case waiting
        }
        var kind: Kind
        var began: Duration
        /// What is to be said of it; empty for most.
        var note: String
    }

    /// One receipt and its outcome.
    struct Claim: Sendable {
        var receipt: ReceiptID
        var origin: DownloadRequest.Source
        var submitted: Duration?
        /// What its submission was answered with, where that is known.
        var answer: Submission.Outcome?
        var why: Why?
        var outcome: Outcome?
        var ended: Duration?
        var file: String?
    }

    struct Record: Sendable {
        let task: TaskID
        var url: String
        var submitted: Duration?
        var attempts: [Attempt] = []
        /// Oldest first, as far as events told; that it was queued first goes without saying.
        var stands: [Stand] = []
        /// Whether there were attempts, or times without a slot, that are no longer known.
        var isShortened = false
        var claims: [Claim] = []
        /// Newest last.
        var reasons: [(t: Duration, why: Why)] = []
        var warnings: [String] = []
        var endedAt: Duration?
        /// Whether events were lost since it began, so that it may be over, and what its claims came to is not known.
        fileprivate(set) var hasGap = false
        /// Whether what the HTTP cache said for it may be among events that were lost.
        fileprivate(set) var mayLackVerdict = false
        private var lastHead: Boxed<ResponseHead>?
        private var lastEnd: Boxed<TaskEnd>?
        private var lastVerdict: Boxed<HTTPCacheChange>?

        init(task: TaskID, url: String, submitted: Duration? = nil) {
            (self.task, self.url, self.submitted) = (task, url, submitted)
        }

        /// The last answer, also one from disk, which has no attempt.
        var head: ResponseHead? {
            get { lastHead?.value }
            set { lastHead = newValue.map { .value($0) } }
        }

        var end: TaskEnd? {
            get { lastEnd?.value }
            set { lastEnd = newValue.map { .value($0) } }
        }

        /// What the HTTP cache did with its last answer; `nil` while it has not said so, or if it had nothing to say.
        private(set) var verdict: HTTPCacheChange? {
            get { lastVerdict?.value }
            set { lastVerdict = newValue.map { .value($0) } }
        }

        /// Takes what the HTTP cache said right before an attempt was over.
        ///
        /// What was evicted there may as well have gone to make room for another.
        fileprivate mutating func take(_ announced: HTTPCacheChange?) {
            guard let announced else { return }
            guard announced.verb != .evicted || [url, head?.finalURL].contains(announced.key) else { return }
            verdict = announced
        }

        /// Bytes that were there before its last transfer, as far as its answer tells.
        ///
        /// Of a piece that the user asked for nothing was.
        func continued(_ end: TaskEnd) -> Int {
            guard end.outcome == .success, end.source == .network, head?.status == 206,
                let field = head?.fields.values(of: "content-range").first, let sent = ContentRange(field)?.range,
                sent.upperBound == end.bytes
            else { return 0 }
            return sent.lowerBound
        }

        fileprivate mutating func begin(_ attempt: Attempt) {
            verdict = nil
            if attempts.count >= TaskRecords.attemptLimit {
                let forgotten = attempts.removeFirst()
                stands.removeAll { $0.began <= forgotten.started }
                isShortened = true
            }
            attempts.append(attempt)
        }

        /// What runs gives its slot back with that.
        fileprivate mutating func stand(_ kind: Stand.Kind, _ reason: Why?, _ t: Duration) {
            if let last = attempts.indices.last, attempts[last].ended == nil {
                (attempts[last].ended, attempts[last].problem) = (t, reason)
            }
            if kind == .queued, attempts.isEmpty, stands.isEmpty { return }
            if stands.count >= TaskRecords.standLimit { (isShortened, _) = (true, stands.removeFirst()) }
            stands.append(Stand(kind: kind, began: t, note: reason.map { EventSentence.cause($0) } ?? ""))
        }

        /// The file's name, else the last part of the URL; not sanitised.
        var name: String {
            end?.file.map(PathText.name(of:)) ?? URLText.name(of: url)
        }
    }

    private(set) var records: [TaskID: Record] = [:]
    /// Tasks that never ran, oldest first, with gaps where they went on.
    private var pending: [TaskID] = []
    private var ended: [TaskID] = []
    /// What the HTTP cache said last, until the event that it belongs to.
    ///
    /// It names no task, but stands right before the end of one, or of an attempt that is followed by another.
    private var announced: HTTPCacheChange?
    /// Whether events were ever lost.
    private var hasLost = false

    subscript(task: TaskID) -> Record? { records[task] }

    mutating func take(_ event: PipelineEvent) {
        switch event.kind {
        case .httpCacheChanged(let change):
            // What is evicted beside an answer says less than what became of the answer.
            if change.verb != .evicted || announced == nil { announced = change }
            return
        case .requestSubmitted(let submission): submitted(submission, event.t)
        case .taskChanged(let change): changed(change, event.t)
        case .taskResponse(let task, let head, _):
            update(task) { record in
                record.head = head
                guard !record.attempts.isEmpty else { return }
                record.attempts[record.attempts.count - 1].head = head
                record.attempts[record.attempts.count - 1].answered = event.t
            }
        case .taskFinished(let end): finished(end, event.t)
        case .receiptFinished(let end): finished(end, event.t)
        case .warning(_, let message, let task):
            if let task { update(task) { if $0.warnings.count < Self.reasonLimit { $0.warnings.append(message) } } }
            // It may stand before the end that something was said for.
            return
        default: break
        }
        announced = nil
    }

    /// The end of a task that has no record was told: what the HTTP cache said for it is of no other.
    mutating func skipEnd() { announced = nil }

    /// Events were lost: any task may be over, and any claim may have its outcome.
    mutating func noteLost() {
        announced = nil
        hasLost = true
        changeAll { record in
            record.hasGap = true
            if record.end == nil { record.mayLackVerdict = true }
        }
    }

    /// Forgets what may be over since events were lost, which other news than events must tell.
    ///
    /// - Parameter live: How many receipts those tasks have that are known to live. The others are forgotten unless
    ///   their end is known, and so are claims unless as many are open as live.
    mutating func settle(live: [TaskID: Int]) {
        records = records.filter { task, record in !record.hasGap || record.end != nil || live[task] != nil }
        pending = pending.filter { records[$0] != nil }
        changeAll { record in
            guard record.hasGap else { return }
            record.hasGap = false
            let open = record.end == nil ? live[record.task] ?? 0 : 0
            if record.claims.count(where: { $0.outcome == nil }) != open {
                record.claims.removeAll { $0.outcome == nil }
            }
        }
    }

    private mutating func submitted(_ submission: Submission, _ t: Duration) {
        guard let task = submission.task, let receipt = submission.receipt else { return }
        if records[task] == nil {
            records[task] = Record(task: task, url: submission.url, submitted: submission.outcome == .joined ? nil : t)
            pending.append(task)
            forgetPending()
        }
        update(task) { record in
            guard record.claims.count < Self.receiptLimit else { return }
            var claim = Claim(receipt: receipt, origin: submission.origin, submitted: t)
            (claim.answer, claim.why) = (submission.outcome, submission.why)
            record.claims.append(claim)
        }
    }

    private mutating func changed(_ change: TaskChange, _ t: Duration) {
        if records[change.task] == nil {
            var record = Record(task: change.task, url: change.url)
            // What came before was forgotten, or lost.
            record.isShortened = change.phase != .started
            records[change.task] = record
            if change.phase != .started, change.phase != .resumed {
                pending.append(change.task)
                forgetPending()
            }
        }
        let announced = change.phase == .waiting ? announced : nil
        update(change.task) { record in
            record.take(announced)
            if let reason = change.reason {
                if record.reasons.count >= Self.reasonLimit { record.reasons.removeFirst() }
                record.reasons.append((t, reason))
            }
            switch change.phase {
            case .started, .resumed: record.begin(Attempt(started: t))
            case .queued: record.stand(.queued, change.reason, t)
            case .waiting: record.stand(.waiting, change.reason, t)
            case .suspended: record.stand(.paused, change.reason, t)
            case .detached, .moved: break
            }
        }
    }

    private mutating func finished(_ end: TaskEnd, _ t: Duration) {
        if records[end.task] == nil {
            records[end.task] = Record(task: end.task, url: end.url)
            records[end.task]?.mayLackVerdict = hasLost
        }
        let announced = announced
        update(end.task) { record in
            (record.end, record.endedAt) = (end, t)
            record.take(announced)
            guard let last = record.attempts.indices.last, record.attempts[last].ended == nil else { return }
            record.attempts[last].ended = t
        }
        ended.append(end.task)
        if ended.count > Self.endedLimit * 2 {
            for task in ended.prefix(Self.endedLimit) { records[task] = nil }
            ended.removeFirst(Self.endedLimit)
        }
    }

    private mutating func finished(_ end: ReceiptEnd, _ t: Duration) {
        let start = end.submitted
        update(end.task) { record in
            var claim =
                record.claims.firstIndex { $0.receipt == end.receipt }.map { record.claims.remove(at: $0) }
                ?? Claim(receipt: end.receipt, origin: end.origin, submitted: nil)
            (claim.outcome, claim.ended, claim.file) = (end.outcome, t, end.file)
            if start != nil { claim.origin = end.origin }
            guard record.claims.count < Self.receiptLimit else { return }
            let index = record.claims.firstIndex { $0.receipt > end.receipt } ?? record.claims.count
            record.claims.insert(claim, at: index)
        }
    }

    private mutating func changeAll(_ change: (inout Record) -> Void) {
        var index = records.startIndex
        while index != records.endIndex {
            change(&records.values[index])
            records.formIndex(after: &index)
        }
    }

    private mutating func update(_ task: TaskID, _ change: (inout Record) -> Void) {
        guard let index = records.index(forKey: task) else { return }
        change(&records.values[index])
    }

    /// Drops the oldest tasks that only wait, in slices so that it costs little a task.
    private mutating func forgetPending() {
        guard pending.count > Self.pendingLimit * 2 else { return }
        for task in pending.prefix(Self.pendingLimit) {
            if let record = records[task], record.attempts.isEmpty, record.end == nil { records[task] = nil }
        }
        pending.removeFirst(Self.pendingLimit)
    }
}
