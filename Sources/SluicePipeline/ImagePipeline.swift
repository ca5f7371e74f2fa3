internal import Glibc
public import SluiceCore

/// Downloads: merges, queues, fetches, saves, decodes, caches, and reports.
///
/// Decisions live in pure machines (``DownloadScheduler``, ``PurgingCache``,
/// ``ActivityIndicator`` …); this actor only carries them out. Its executor is the
/// transfer loop's own thread, so a finished transfer starts the next one without a
/// hop. Everything happens in a turn of the loop, which never suspends, so there is
/// no reentrancy to reason about.
///
/// - SeeAlso: AFNetworking's `AFImageDownloader`, SDWebImage's `SDWebImageDownloader`,
///   whose semantics it has.
public actor ImagePipeline: LoopClient {
    public nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }

    /// Held strongly: the runtime keeps only an unowned reference to an executor.
    nonisolated let executor: any PipelineExecutor
    /// What other threads sent; the lock is held to append or to swap.
    nonisolated let inbox = Locked(Inbox())

    let configuration: PipelineConfiguration
    let transport: any HTTPTransport
    let files: (any FileStoring)?
    let decoder: any ImageDecoding
    let pool: BlockingPool
    private let listeners: [EventListener]
    let publishSnapshot: (@Sendable (PipelineSnapshot) -> Void)?

    var settings: Settings
    var scheduler: DownloadScheduler
    var cache: PurgingCache<DecodedImage>
    var indicator: ActivityIndicator
    var failed = FailedList()
    var counts = SessionCounts()

    /// What runs in each slot.
    var transfers: [TransferID: ActiveTransfer] = [:]
    /// Files whose last blocks are being written.
    var writing: [FileID: TransferID] = [:]
    /// Complete bodies of this session, by merge key.
    var saved: [MergeKey: SavedFile] = [:]
    /// User names and passwords that stood in a task's URL.
    var credentials: [TaskID: Credentials] = [:]
    /// Why tasks wait or stand where they do, for those where it is worth telling.
    var reasons: [TaskID: Why] = [:]
    /// The most bytes that one attempt of a task brought, for those that failed before.
    var bestReceived: [TaskID: Int] = [:]
    /// The requests of the last tasks that failed, for a retry.
    var failedRequests = RecentRequests()
    var completions: [ReceiptID: @Sendable (RequestOutcome) -> Void] = [:]
    var batches: [BatchID: PrefetchBatch] = [:]
    var lastBatch = 0

    /// What is still to be submitted or done, in the order sent.
    var backlog = CommandBacklog()
    var window = QueueWindow(from: 1, count: 0)
    var snapshots = SnapshotState()
    var meter = TransferMeter()
    private var interest: EventInterest
    private var lastSeq = 0
    private var isStarted = false
    var phase = Phase.running
    /// The time of this turn.
    var now: Timestamp

    enum Phase {
        case running
        /// Ends by itself once nothing is live.
        case draining
        /// Refuses everything, and ends once the transport has let go.
        case ending
        case ended
    }

    /// Creates a pipeline that does nothing until its executor gives it turns.
    ///
    /// - Parameters:
    ///   - configuration: What it keeps for life.
    ///   - executor: Runs every job and every turn of this pipeline.
    ///   - transport: Moves bytes; nobody else may keep it.
    ///   - files: Saves bodies; `nil` saves nothing. Nobody else may keep it.
    ///   - decoder: Decodes images, on threads of the pool.
    ///   - pool: Runs what blocks.
    ///   - listeners: Hear every event that they want, on the loop's thread.
    ///   - publishSnapshot: Gets the latest state, at most every `snapshotInterval`, on the loop's thread.
    public init(
        configuration: PipelineConfiguration,
        executor: any PipelineExecutor,
        transport: sending any HTTPTransport,
        files: sending (any FileStoring)?,
        decoder: any ImageDecoding,
        pool: BlockingPool,
        listeners: [EventListener] = [],
        publishSnapshot: (@Sendable (PipelineSnapshot) -> Void)? = nil
    ) {
        (self.configuration, self.executor, self.transport) = (configuration, executor, transport)
        (self.files, self.decoder, self.pool) = (files, decoder, pool)
        (self.listeners, self.publishSnapshot) = (listeners, publishSnapshot)
        interest = listeners.reduce([]) { $0.union($1.interest) }
        settings = configuration.settings
        now = configuration.startTime
        scheduler = DownloadScheduler(limit: settings.maxActive, order: settings.order)
        scheduler.lastReceipt = settings.lastReceipt
        scheduler.isSuspended = settings.suspended
        cache = PurgingCache(capacity: settings.cacheCapacity, preferred: settings.cachePreferred)
        indicator = ActivityIndicator(
            activationDelay: settings.activationDelay,
            completionDelay: settings.completionDelay
        )
        self.transport.limits = settings.transportLimits
    }

    // MARK: From other threads

    /// Queues a command and returns at once.
    public nonisolated func send(_ command: PipelineCommand) { post { $0.orders.append(.command(command)) } }

    /// Submits one request and reports its outcome, on the loop's thread.
    public nonisolated func submit(
        _ request: DownloadRequest,
        completion: @escaping @Sendable (RequestOutcome) -> Void
    ) {
        post { $0.orders.append(.submit(request, completion)) }
    }

    /// Ends the pipeline once every request has its outcome and no task is live.
    public nonisolated func finishWhenIdle() { post { $0.finishes = true } }

    nonisolated func post(_ change: (inout Inbox) -> Void) {
        let wasEmpty = inbox.withLock { inbox in
            let wasEmpty = inbox.isEmpty
            change(&inbox)
            return wasEmpty
        }
        if wasEmpty { executor.wake() }
    }

    // MARK: The turn

    public nonisolated func turn(_ ready: [SocketEvent], now: Timestamp) -> LoopSleep {
        // Checked, not assumed: asks the executor whether this is its thread.
        assumeIsolated { $0.serve(ready, now: now) }
    }

    private func serve(_ ready: [SocketEvent], now: Timestamp) -> LoopSleep {
        self.now = now
        if !isStarted { start() }
        transport.socketsReady(ready, now: now)
        takeInbox()
        fireTimers()
        // A key's effect is shown before the next slice of a list is served.
        if snapshots.mustPublish { publish() }
        serveBacklog()
        drainTransport()
        reportProgress()
        endIfIdle()
        publish()
        return nextSleep()
    }

    private func start() {
        isStarted = true
        let settings = settings
        emit(.session) { .sessionStarted(version: configuration.version, pid: Int(getpid()), settings: settings) }
        if !settings.indicatorEnabled { report(indicator.enabledChanged(to: false, now: now)) }
    }

    private func takeInbox() {
        let taken = inbox.withLock { inbox in
            defer { inbox = Inbox() }
            return inbox
        }
        for ended in taken.decoded { decoded(ended.transfer, ended.result) }
        for copied in taken.copied { answered(copied.task, copied.result) }
        for order in taken.orders {
            switch order {
            case .command(let command): accept(command)
            case .submit(let request, let completion): accept(request, completion)
            }
        }
        if taken.finishes, phase == .running { phase = .draining }
    }

    private func fireTimers() {
        report(indicator.timePassed(now: now))
        for task in scheduler.timeCame(now: now) {
            reasons[task] = .retryTimeCame
            changed(task, .queued, reason: .retryTimeCame)
        }
        failed.expire(now: now)
    }

    /// Takes news and fills the slots that they free, until nothing more happens at once.
    ///
    /// Bounded: where answers come as fast as they are asked for, keys get their turns in between.
    private func drainTransport() {
        var rounds = 256
        repeat {
            takeNews()
            dropUselessTransfers()
            rounds -= 1
        } while startTransfers() && rounds > 0
        takeNews()
    }

    private func takeNews() {
        while true {
            if let news = transport.nextNews(now: now) {
                switch news {
                case .response(let transfer, let head): responded(transfer, head)
                case .ended(let ended): self.ended(ended)
                }
            } else if let news = files?.nextNews() {
                fileNews(news)
            } else {
                return
            }
        }
    }

    private func endIfIdle() {
        if phase == .draining, backlog.isEmpty, scheduler.liveCount == 0, inbox.withLock({ $0.isEmpty }) {
            phase = .ending
        }
        guard phase == .ending, transfers.isEmpty, scheduler.activeCount == 0 else { return }
        phase = .ended
        counts.left = scheduler.liveReceiptCount + backlog.requestCount
        for completion in backlog.removeAll() + completions.values { completion(.cancelled) }
        completions = [:]
        counts.tasks = scheduler.taskCount
        let counts = counts
        emit(.session) { .sessionEnded(counts) }
        snapshots.mustPublish = true
    }

    private func nextSleep() -> LoopSleep {
        if phase == .ended { return .ended }
        if phase != .ending, !backlog.isEmpty || scheduler.canStart { return .until(now) }
        let deadlines = [
            transport.deadline, indicator.deadline, scheduler.nextWait,
            progressDeadline, snapshotDeadline,
        ]
        return deadlines.compactMap(\.self).min().map { .until($0) } ?? .untilWoken
    }

    // MARK: Events

    /// Makes and reports an event, if anybody wants it.
    func emit(_ kind: EventInterest, _ make: () -> PipelineEvent.Kind) {
        guard !interest.isDisjoint(with: kind) else { return }
        lastSeq += 1
        snapshots.isDirty = true
        let event = PipelineEvent(seq: lastSeq, t: now - configuration.startTime, kind: make())
        for listener in listeners where !listener.interest.isDisjoint(with: kind) { listener.hear(event) }
    }

    func wants(_ kind: EventInterest) -> Bool { interest.contains(kind) }

    func changed(
        _ id: TaskID,
        _ phase: TaskChange.Phase,
        reason: Why? = nil,
        until: Timestamp? = nil,
        delay: Duration? = nil
    ) {
        snapshots.isDirty = true
        guard wants(.tasks), let task = scheduler.task(id) else { return }
        emit(.tasks) {
            var change = TaskChange(
                phase: phase,
                task: id,
                url: task.key.url,
                attempt: Int(task.failedAttempts) + 1,
                active: scheduler.activeCount,
                queued: scheduler.queuedCount
            )
            if phase == .queued || phase == .moved { change.position = scheduler.position(of: id) }
            (change.reason, change.until, change.delay) = (reason, until, delay)
            return .taskChanged(change)
        }
    }

    func warn(_ code: String, _ message: String, task: TaskID?) {
        emit(.session) { .warning(code: code, message: message, task: task) }
    }

    // MARK: Indicator

    func report(_ change: ActivityIndicator.Change?) {
        guard let change else { return }
        snapshots.mustPublish = true
        let tasks = indicator.count
        emit(.session) { .indicatorChanged(from: change.from, to: change.to, tasks: tasks) }
    }
}

extension Settings {
    /// What of the settings the transport applies.
    var transportLimits: TransportLimits {
        var limits = TransportLimits()
        limits.rate = limitRate
        limits.timeout = timeout
        limits.connectTimeout = connectTimeout > .zero ? connectTimeout : .seconds(15)
        return limits
    }
}
