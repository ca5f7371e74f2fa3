internal import Glibc
public import SluiceCore
internal import SluiceSystem

/// Downloads: merges, queues, fetches, saves, decodes, caches, and reports.
///
/// Decisions live in pure machines (``DownloadScheduler``, ``PurgingCache``,
/// ``ActivityIndicator`` …); this actor only carries them out. Its executor is the
/// transfer loop's own thread, so a finished transfer starts the next one without a
/// hop. Everything happens in a turn of the loop, which never suspends, so there is
/// no reentrancy to reason about.
///
/// # Lifetime
///
/// What is sent before the loop's `run` is done when that begins. From then on the loop's thread keeps the pipeline,
/// whoever else lets go of it, until ``finishWhenIdle()`` or ``PipelineCommand/shutDown`` ends it. The former takes
/// requests until the last task has ended, and never ends what is paused or waits in a suspended queue. At its end the
/// pipeline closes the HTTP cache, and without ``PipelineConfiguration/state`` deletes every `.part` of its own.
///
/// Its owner waits for the loop, and only then closes the pool and the state: a pipeline waits for the changes and the
/// deletions that it has handed over, and until it ends for all its jobs. Those that nobody needs any more then are
/// dropped with the pool.
///
/// - SeeAlso: AFNetworking's `AFImageDownloader`, SDWebImage's `SDWebImageDownloader`,
///   whose semantics it has.
public actor ImagePipeline: LoopClient {
    /// The loop's own thread: jobs of the actor run between the turns.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }

    /// Held strongly: the runtime keeps only an unowned reference to an executor.
    nonisolated let executor: any PipelineExecutor
    /// What other threads sent; the lock is held to append or to swap.
    nonisolated let inbox = Locked(Inbox())

    let configuration: PipelineConfiguration
    /// The zero of the times of events.
    let start: SessionStart
    /// What requests say of the program, unless the user says something else.
    let userAgent: String
    let transport: any HTTPTransport
    let files: (any FileStoring)?
    let decoder: any ImageDecoding
    let pool: BlockingPool
    var lookups = HostLookups()
    /// The HTTP cache; `nil` without one.
    let responses: (any ResponseStoring)?
    let listeners: [EventListener]
    let publishSnapshot: (@Sendable (PipelineSnapshot) -> Void)?
    let publishSketch: (@Sendable (TaskID, Bitmap) -> Void)?

    // What every transfer touches many times is checked for exclusive access in debug builds only: nothing reads or
    // writes one of these while it is being changed, since machines call nobody but what `inScheduler` and `inCache` are
    // given, which touches no stored property.
    #if !DEBUG
    @safe @exclusivity(unchecked)
    #endif
    var settings: Settings
    #if !DEBUG
    @safe @exclusivity(unchecked)
    #endif
    var scheduler: DownloadScheduler
    #if !DEBUG
    @safe @exclusivity(unchecked)
    #endif
    var cache: PurgingCache<OwnedImage>
    #if !DEBUG
    @safe @exclusivity(unchecked)
    #endif
    var indicator: ActivityIndicator
    var failed = FailedList()
    #if !DEBUG
    @safe @exclusivity(unchecked)
    #endif
    var trust: PipelineTrust
    #if !DEBUG
    @safe @exclusivity(unchecked)
    #endif
    var counts = SessionCounts()
    var redirected = RedirectedURLs()

    /// What runs in each slot.
    #if !DEBUG
    @safe @exclusivity(unchecked)
    #endif
    var transfers = TransferMap<ActiveTransfer>()
    /// Complete bodies of this session and of earlier ones.
    #if !DEBUG
    @safe @exclusivity(unchecked)
    #endif
    var knownFiles = KnownFiles()
    /// What is known of tasks beside what the scheduler keeps.
    #if !DEBUG
    @safe @exclusivity(unchecked)
    #endif
    var notebook = TaskNotebook()
    var keyFilter: KeyFilter
    /// What is said of every request, beside the user's fields.
    var ownFields = OwnFields()
    /// What outlives the process.
    #if !DEBUG
    @safe @exclusivity(unchecked)
    #endif
    var journal: StateJournal
    /// Whether a full disk stops the queue.
    var diskPause = DiskPause()
    /// What an earlier session left to do.
    var restoring = RestoredQueue()
    /// Parts that can be continued, by merge key as text.
    let parts = PartRecords()
    var retryable = RetryableRequests()
    var callers = Callers()
    /// Whether a detached task may be among the active ones; looking would cost every transfer.
    var mayHaveDetached = false
    var batches = PrefetchBatches()

    /// What is still to be submitted or done, in the order sent.
    #if !DEBUG
    @safe @exclusivity(unchecked)
    #endif
    var backlog = CommandBacklog()
    /// What is still to be done to many tasks.
    var steering = SteeringQueue()
    var window = QueueWindow(from: 1, count: 0)
    var inspection = Inspection()
    #if !DEBUG
    @safe @exclusivity(unchecked)
    #endif
    var snapshots = SnapshotState()
    var sketching = Sketching()
    var queries = QueryState()
    var meter = TransferMeter()
    /// Of all listeners, and of the journal of tasks.
    let interest: EventInterest
    /// What happened to tasks; kept only where somebody may ask.
    var taskJournal: TaskJournal?
    var lastSeq = 0
    private var isStarted = false
    var phase = Phase.running
    /// Tasks that are answered from disk, and those whose slot waits for a stored body.
    #if !DEBUG
    @safe @exclusivity(unchecked)
    #endif
    var answers = AnswerDesk()
    /// What is being copied for the receipts of live tasks.
    var copies = CopyRounds()
    /// Files that the pool is to delete, and has not told of yet: the end waits for them.
    var removals = 0
    /// The last request of no user in particular, as the HTTP cache sees it.
    var lastCacheRequest: CacheRequest?
    var memoryWatch = MemoryWatch.notYet
    /// How long images in memory may answer where only fresh ones do.
    var freshness = ImageFreshness()
    /// Whether a server set a cookie, so that what is sent is not known here.
    var hasTakenCookies = false
    /// The time of this turn.
    #if !DEBUG
    @safe @exclusivity(unchecked)
    #endif
    var now: Timestamp

    enum Phase {
        case running
        /// Ends by itself once nothing is live.
        case draining
        /// Takes and starts nothing any more, and submits what was asked for before.
        case closing
        /// Refuses everything, and ends once the transport has let go.
        case ending
        case ended
    }

    /// Whether it takes orders.
    var isOpen: Bool { phase == .running || phase == .draining }

    /// Creates a pipeline that does nothing until its executor gives it turns.
    ///
    /// - Precondition: ``Settings/check()`` accepts the settings of the configuration.
    /// - Parameters:
    ///   - configuration: What it keeps for life.
    ///   - executor: Runs every job and every turn of this pipeline.
    ///   - transport: Moves bytes; nobody else may keep it.
    ///   - files: Saves bodies; `nil` saves nothing. Nobody else may keep it.
    ///   - responses: The HTTP cache; `nil` stores nothing. Nobody else may keep it.
    ///   - decoder: Decodes images, on threads of the pool.
    ///   - pool: Runs what blocks.
    ///   - listeners: Hear every event that they want, on the loop's thread.
    ///   - publishSnapshot: Gets the latest state, at most every `snapshotInterval`, on the loop's thread.
    ///   - publishSketch: Gets what arrived of an observed image, small, on a thread of the pool.
    public init(
        configuration: PipelineConfiguration,
        executor: any PipelineExecutor,
        transport: sending any HTTPTransport,
        files: sending (any FileStoring)?,
        responses: sending (any ResponseStoring)? = nil,
        decoder: any ImageDecoding,
        pool: BlockingPool,
        listeners: [EventListener] = [],
        publishSnapshot: (@Sendable (PipelineSnapshot) -> Void)? = nil,
        publishSketch: (@Sendable (TaskID, Bitmap) -> Void)? = nil
    ) {
        do throws(SettingError) {
            try configuration.settings.check()
        } catch {
            preconditionFailure(error.message)
        }
        (self.configuration, self.executor) = (configuration, executor)
        self.transport = LocalTransport(transport, pool: pool) { executor.wake() }
        (self.files, self.decoder, self.pool) = (files, decoder, pool)
        self.responses = responses
        (self.listeners, self.publishSnapshot, self.publishSketch) = (listeners, publishSnapshot, publishSketch)
        let own: EventInterest = configuration.keepsJournal ? .journal : []
        interest = listeners.reduce(own) { $0.union($1.interest) }
        journal = StateJournal(
            configuration.state,
            keepsQueue: configuration.keepsQueue,
            isLoading: configuration.awaitsMemory
        )
        settings = configuration.settings
        taskJournal = configuration.keepsJournal ? TaskJournal() : nil
        trust = PipelineTrust(configuration.trust)
        userAgent = configuration.userAgent ?? "Sluice/\(configuration.version)"
        start = configuration.start(now: MonotonicClock.now())
        now = start.time
        scheduler = DownloadScheduler(limit: settings.maxActive, order: settings.order)
        scheduler.lastReceipt = settings.lastReceipt
        scheduler.isSuspended = settings.suspended
        scheduler.setMaxPerHost(settings.maxPerHost)
        keyFilter = KeyFilter(settings.keyFilter)
        cache = PurgingCache(capacity: settings.cacheCapacity, preferred: settings.cachePreferred)
        indicator = ActivityIndicator(
            activationDelay: settings.activationDelay,
            completionDelay: settings.completionDelay
        )
        self.transport.limits = settings.transportLimits
    }

    // MARK: The turn

    /// Takes what came, does what is due, and says how long nothing is.
    ///
    /// - Precondition: On the loop's thread; others use ``send(_:)``.
    public nonisolated func turn(_ ready: [SocketEvent], now: Timestamp) -> LoopSleep {
        // Checked, not assumed: asks the executor whether this is its thread.
        assumeIsolated { $0.serve(ready, now: now) }
    }

    /// - Precondition: On the loop's thread.
    public nonisolated func wasHeldUp(for time: Duration) {
        assumeIsolated { $0.transport.wasHeldUp(for: time) }
    }

    private func serve(_ ready: [SocketEvent], now: Timestamp) -> LoopSleep {
        // What a caller runs on this actor may give it a turn more.
        if phase == .ended { return .ended }
        self.now = now
        if !isStarted { begin() }
        transport.socketsReady(ready, now: now)
        takeInbox()
        fireTimers()
        // A key's effect is shown before the next slice of a list is served.
        if snapshots.mustPublish { publish() }
        serveBacklog()
        serveSteering()
        endIfServed()
        workOnWaitingAnswers()
        serveQueries()
        drainTransport()
        reportProgress()
        answerIfIdle()
        keepLargeParts()
        flushState()
        sketch()
        endIfIdle()
        publish()
        return nextSleep()
    }

    private func begin() {
        isStarted = true
        let settings = settings
        emit(.session) { .sessionStarted(version: configuration.version, pid: Int(getpid()), settings: settings) }
        if let warning = configuration.startWarning { warn(.httpCache, warning, task: nil) }
        warnOfLenience()
        if !settings.indicatorEnabled { report(indicator.enabledChanged(to: false, now: now)) }
    }

    private func fireTimers() {
        report(indicator.timePassed(now: now))
        while let task = scheduler.wakeNext(now: now) {
            // What starts over at once waited for no time, and says why.
            let why = notebook[task].reason.flatMap { $0.isStartOver ? $0 : nil } ?? .retryTimeCame
            notebook[task].reason = why
            changed(task, .queued, reason: why)
        }
        failed.expire(now: now)
        lookForRoom()
    }

    /// Takes news and fills the slots that they free, until nothing more happens at once.
    ///
    /// Bounded: where answers come as fast as they are asked for, keys get their turns in between.
    private func drainTransport() {
        forgetWhoWaitsForRoomNoMore()
        var rounds = 256
        repeat {
            takeNews()
            dropUselessTransfers()
            rounds -= 1
        } while startTransfers() && rounds > 0
        files?.settle()
        // First of all what could not be kept: the transport may have more of it, which nobody takes any more.
        while let news = files?.nextNews() { fileNews(news) }
        takeNews()
    }

    private func takeNews() {
        while true {
            if let news = transport.nextNews(now: now) {
                switch news {
                case .trust(let transfer, let decision, let chain): judged(transfer, decision, chain)
                case .response(let transfer): responded(transfer)
                case .ended(let ended): self.ended(ended)
                }
            } else if let news = files?.nextNews() {
                fileNews(news)
            } else if let eviction = responses?.nextEviction() {
                evicted(eviction)
            } else if let loss = responses?.takeLoss() {
                warn(.httpCache, "nothing is stored for later until the next start: \(loss)", task: nil)
            } else {
                return
            }
        }
    }

    private func nextSleep() -> LoopSleep {
        if phase == .ended { return .ended }
        let isServed = backlog.isEmpty && (restoring.isEmpty || !isOpen)
        let hasWork = !journal.isLoading && !journal.isBehind && !isServed
        let mayStart = isOpen && inScheduler({ $0.canStart })
        if phase != .ending, hasWork || mayStart || !steering.isEmpty || queries.isBusy || answers.canOpen {
            return .until(now)
        }
        let deadlines = [
            transport.deadline, indicator.deadline, scheduler.nextWait,
            progressDeadline, snapshotDeadline, stateDeadline,
            diskPause.nextLook, sketchDeadline, queryDeadline,
        ]
        return deadlines.lazy.compactMap(\.self).min().map { .until($0) } ?? .untilWoken
    }
}
