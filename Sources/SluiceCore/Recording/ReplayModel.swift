/// The pipeline as its events tell of it: a fold from events to the snapshots that a screen reads.
///
/// Pure; two folds over the same events are equal, however the events came in. What no event
/// says is derived, as rates are from progress, or left out: folders, hosts whose certificates
/// may be invalid, room that a full disk lacks, and limits of single tasks. Whatever a log
/// says, sums stay in range.
///
/// - Complexity: O(log n) an event, O(rows that are shown) a snapshot.
public struct ReplayModel: Sendable {
    enum Phase: UInt8, Sendable {
        /// Holds no slot and stands in no list, as tasks do that are answered from disk.
        case answering
        case queued
        case active
        case waiting
        case paused
    }

    /// A live task; small, since hundreds of thousands may wait.
    struct Task: Sendable {
        var url: String
        var submitted: Timestamp
        var origin: DownloadRequest.Source
        var receipts = 0
        var attempt: Int32 = 1
        var phase = Phase.answering
        /// Its row in the queue, while it stands there.
        var row: Int32 = -1
    }

    /// What a slot is used for.
    struct Transfer: Sendable {
        var started: Timestamp
        /// As the last progress said; `nil` before the first.
        var received: Int?
        var expected: Int?
        var head: ResponseHead?
        var meter = TransferMeter()

        /// As the meter has it at a time, with what it has not been told yet: that no more came.
        func measured(at now: Timestamp) -> TransferMeter {
            var meter = meter
            meter.update(total: received ?? 0, now: now)
            return meter
        }
    }

    struct CachedEntry: Sendable {
        var cost: Int
        var accessed: Timestamp
        /// Once the task that brought it has told.
        var image: ImageInfo?
    }

    /// More than ever hold a slot at once: where a log has more, ends are missing, and each costs time at every sample.
    private static let activeLimit = 256

    private(set) var tasks: [TaskID: Task] = [:]
    /// In order of their start.
    private(set) var active: [TaskID] = []
    private(set) var transfers: [TaskID: Transfer] = [:]
    private(set) var waits: [TaskID: (until: Timestamp, delay: Duration)] = [:]
    /// With how far their transfers were.
    private(set) var paused: [TaskID: (received: Int, expected: Int?)] = [:]
    /// How far tasks came that were paused and wait for a slot now.
    private var left: [TaskID: (received: Int, expected: Int?)] = [:]
    /// Why tasks stand where they do, where an event said so.
    private(set) var reasons: [TaskID: Why] = [:]
    private(set) var failures: [String: PipelineSnapshot.Failed] = [:]
    private(set) var cached: [CacheKey: CachedEntry] = [:]
    var queue = ReplayQueue()
    private var meter = TransferMeter()

    /// As the events so far leave them.
    public private(set) var settings = Settings()
    /// Of the events so far; those of the session's end replace them.
    public private(set) var counts = SessionCounts()
    private(set) var memory = PipelineSnapshot.Memory()
    private(set) var http = HTTPCacheFigures()
    private(set) var indicator = PipelineSnapshot.Indicator()
    private(set) var received = 0
    private(set) var liveReceipts = 0
    /// Whether the session's end was told; a recording is of one session.
    private(set) var hasEnded = false

    /// Before the first event: defaults, and nothing under way.
    public init() { take(settings) }

    /// The row of a task that holds a slot; `nil` for any other.
    public func activeRow(of id: TaskID, at now: Timestamp) -> PipelineSnapshot.Row? {
        active.contains(id) ? row(id, now) : nil
    }

    // MARK: - Folding

    /// Takes the next event.
    public mutating func apply(_ event: PipelineEvent) {
        let now = Recording.startTime + event.t
        switch event.kind {
        case .sessionStarted(_, _, let settings): take(settings)
        case .requestSubmitted(let submission): submitted(submission, now)
        case .taskChanged(let change): changed(change, now)
        case .taskResponse(let task, let head, _): transfers[task]?.head = head
        case .taskProgress(let task, let received, let expected): progressed(task, received, expected, now)
        case .taskFinished(let end): finished(end, now)
        case .receiptFinished(let end): finished(end)
        case .cacheChanged(let change): changed(change, now)
        case .cachePurged(let purge): purged(purge)
        case .httpCacheChanged(let change): http.usage = change.usage
        case .indicatorChanged(_, let to, let tasks):
            (indicator.state, indicator.since, indicator.tasks) = (to, now, tasks)
            indicator.deadline =
                switch to {
                case .delayingStart: now + settings.activationDelay
                case .delayingEnd: now + settings.completionDelay
                case .notActive, .active: nil
                }
        case .settingChanged(let name, _, let to):
            do throws(SettingError) {
                var changed = settings
                _ = try changed.apply(SettingChange(name: name, value: to))
                take(changed)
            } catch {
                // Contradicts a setting whose own change is missing in the log.
            }
        case .sessionEnded(let counts): ended(counts, now)
        case .prefetchProgress, .trustDecided, .warning: break
        }
    }

    /// What histories record: figures that change with time alone.
    public mutating func sample(at now: Timestamp) -> (rate: Int, usage: Int, isMoving: Bool) {
        meter.update(total: received, now: now)
        let rate = rate(at: now)
        return (rate, memory.usage, !active.isEmpty || rate > 0)
    }

    /// Bytes a second of all transfers; never below the sum of the rows', as in a live pipeline.
    func rate(at now: Timestamp) -> Int {
        guard !active.isEmpty else { return 0 }
        let ofRows = active.reduce(0) { sum, id in
            min(sum + (transfers[id]?.measured(at: now).rate ?? 0), EventFields.largest)
        }
        return max(measured(at: now).rate, ofRows)
    }

    /// The measurement of all transfers at a time.
    func measured(at now: Timestamp) -> TransferMeter {
        var meter = meter
        meter.update(total: received, now: now)
        return meter
    }

    private mutating func take(_ settings: Settings) {
        if settings.failedFor != self.settings.failedFor { remember(for: settings.failedFor) }
        self.settings = settings
        (memory.capacity, memory.preferred) = (settings.cacheCapacity, settings.cachePreferred)
        http.capacity = settings.httpCapacity
    }

    /// Lets failures end as if they had been remembered for that time from the beginning.
    private mutating func remember(for time: Duration) {
        let change = time - settings.failedFor
        if time == .zero { failures = [:] }
        failures = failures.mapValues { failure in
            var moved = failure
            moved.until = failure.until + change
            return moved
        }
    }

    private mutating func submitted(_ submission: Submission, _ now: Timestamp) {
        counts.requests += 1
        switch submission.outcome {
        case .cached:
            counts.cached += 1
            if submission.origin.isBehind { counts.cachedBehind += 1 }
        case .joined: counts.joined += 1
        case .rejected: counts.rejected += 1
        case .started, .queued: break
        }
        lookedUp(submission, now)
        guard let id = submission.task else { return }
        if tasks[id] == nil {
            tasks[id] = Task(url: submission.url, submitted: now, origin: submission.origin)
            if submission.outcome != .joined { counts.tasks += 1 }
        }
        tasks[id]?.receipts += 1
        liveReceipts += 1
        if submission.outcome == .queued { enter(.queued, id, position: submission.position) }
    }

    /// Counts how the memory cache answered a request, where it was asked.
    private mutating func lookedUp(_ submission: Submission, _ now: Timestamp) {
        if submission.outcome == .cached, submission.source == .memory {
            memory.hits += 1
            cached[CacheKey(key: submission.url)]?.accessed = now
            return
        }
        if submission.outcome == .joined || submission.origin == .revalidation { return }
        if settings.policy == .reload || settings.policy == .revalidate { return }
        if submission.error?.code != .badURL { memory.misses += 1 }
    }

    private mutating func changed(_ change: TaskChange, _ now: Timestamp) {
        let id = change.task
        if tasks[id] == nil { tasks[id] = Task(url: change.url, submitted: now, origin: .program) }
        tasks[id]?.attempt = Int32(clamping: change.attempt)
        switch change.phase {
        case .queued, .moved:
            // It may be paused again before it has a slot.
            if let place = paused[id] { left[id] = place }
            enter(.queued, id, position: change.position)
        case .started, .resumed:
            enter(.active, id)
            if active.count >= Self.activeLimit { enter(.answering, active[0]) }
            active.append(id)
            transfers[id] = Transfer(started: now)
            left[id] = nil
        case .suspended: pause(id)
        case .waiting:
            enter(.waiting, id)
            waits[id] = (change.until ?? now, change.delay ?? .zero)
        case .detached: return
        }
        if let reason = change.reason, change.phase != .moved { reasons[id] = reason }
    }

    /// Moves a task from where it stands to another phase.
    private mutating func enter(_ phase: Phase, _ id: TaskID, position: Int? = nil) {
        guard let task = tasks[id] else { return }
        leave(task, id)
        tasks[id]?.phase = phase
        tasks[id]?.row = phase == .queued ? queue.insert(id, at: position) : -1
    }

    /// Keeps how far its transfer was.
    private mutating func pause(_ id: TaskID) {
        let transfer = transfers[id]
        enter(.paused, id)
        paused[id] = transfer.map { ($0.received ?? 0, $0.head?.expected ?? $0.expected) } ?? left[id] ?? (0, nil)
    }

    private mutating func leave(_ task: Task, _ id: TaskID) {
        switch task.phase {
        case .answering: break
        case .queued: queue.remove(task.row)
        case .active:
            active.removeAll { $0 == id }
            transfers[id] = nil
        case .waiting: waits[id] = nil
        case .paused: paused[id] = nil
        }
    }

    private mutating func progressed(_ id: TaskID, _ position: Int, _ expected: Int?, _ now: Timestamp) {
        guard var transfer = transfers[id] else { return }
        // The first says where a part ends. Fewer bytes than before: the origin began anew.
        let before = transfer.received ?? position
        let new = position >= before ? position - before : position
        received = min(received + new, EventFields.largest)
        (transfer.received, transfer.expected) = (position, expected)
        transfer.meter.update(total: position, now: now)
        transfers[id] = transfer
        meter.update(total: received, now: now)
    }

    /// No event tells what becomes of tasks without an outcome: they stand still, as far as they were.
    private mutating func ended(_ counts: SessionCounts, _ now: Timestamp) {
        let known = self.counts
        self.counts = counts
        (self.counts.failedBehind, self.counts.cancelledBehind) = (known.failedBehind, known.cancelledBehind)
        (self.counts.succeededBehind, self.counts.cachedBehind) = (known.succeededBehind, known.cachedBehind)
        received = counts.bytes
        for id in active + Array(waits.keys) { pause(id) }
        (indicator.state, indicator.since, indicator.deadline) = (.notActive, now, nil)
        hasEnded = true
    }

    private mutating func finished(_ end: TaskEnd, _ now: Timestamp) {
        switch end.outcome {
        case .success:
            counts.succeeded += 1
            if let task = tasks[end.task], task.origin.isBehind, task.receipts == 1 { counts.succeededBehind += 1 }
            failures[end.url] = nil
            cached[CacheKey(key: end.url)]?.image = end.image
        case .failed:
            counts.failed += 1
            if let task = tasks[end.task], task.origin == .revalidation, task.receipts == 1 { counts.failedBehind += 1 }
            if let error = end.error, error.isPermanent, settings.failedFor > .zero {
                failures[end.url] = PipelineSnapshot.Failed(
                    url: end.url,
                    error: error,
                    until: now + settings.failedFor
                )
            }
        case .cancelled:
            counts.cancelled += 1
            if let task = tasks[end.task], task.origin.isView, task.receipts == 1 { counts.cancelledBehind += 1 }
        }
        left[end.task] = nil
        guard let task = tasks.removeValue(forKey: end.task) else { return }
        leave(task, end.task)
        liveReceipts -= task.receipts
        reasons[end.task] = nil
    }

    private mutating func finished(_ end: ReceiptEnd) {
        guard let task = tasks[end.task], task.receipts > 0 else { return }
        tasks[end.task]?.receipts -= 1
        liveReceipts -= 1
    }

    // MARK: - Memory cache

    private mutating func changed(_ change: CacheChange, _ now: Timestamp) {
        (memory.usage, memory.capacity, memory.count) = (change.usage, change.capacity, change.count)
        switch change.verb {
        case .added, .replaced: cached[change.key] = CachedEntry(cost: change.cost, accessed: now)
        case .removed: cached[change.key] = nil
        case .refused: break
        }
    }

    private mutating func purged(_ purge: CachePurge) {
        memory.purges += 1
        memory.freed = min(memory.freed + purge.freed, EventFields.largest)
        (memory.usage, memory.preferred) = (purge.after, purge.preferred)
        for victim in purge.victims { cached[victim.key] = nil }
        // One for lack of room follows what was added, which told the number already.
        if purge.trigger != .capacity { memory.count = max(0, memory.count - purge.victims.count) }
    }
}
