internal import CLinux
public import SluiceCore
internal import SluiceSystem
internal import Synchronization

/// A thread that waits for sockets and, between waits, runs the jobs of one actor.
///
/// It is that actor's executor, so the actor and the transfers share one thread:
/// no hop and no lock between "this transfer ended" and "start the next". It
/// knows nothing of curl; a transport puts its sockets into ``poller``.
///
/// Fairness: a round runs the jobs that waited when it began, then one turn of
/// the client. Jobs that a job enqueues wait for the next round, so neither jobs
/// nor transfers can starve the other.
///
/// Lifetime: the thread keeps the loop and its client alive until the client says
/// `LoopSleep.ended`. A job that arrives later traps: end every user of the actor first.
public final class TransferLoop: PipelineExecutor {
    private struct Inbox {
        var jobs: ContiguousArray<UnownedJob> = []
        /// Somebody asked for a round since the last one began.
        var isWoken = false
        /// The thread sleeps, or is about to; only then does a wake-up cost a system call.
        var isAsleep = false
        var isEnded = false
    }

    /// Where the transport registers its sockets.
    public let poller: Poller
    private let bell = Doorbell()
    /// Jobs and wake-ups on their way to the thread.
    private let inbox = Locked(Inbox())
    /// The loop's thread as long as nobody waited for its end.
    private let joinable = Locked<WorkerThread?>(nil)
    /// From when on a turn is one that held up what comes over sockets.
    private let longTurn: Duration
    /// The loop's `pthread_t` for isolation checks; 0 before ``run(_:)``.
    private let thread = Atomic<UInt>(0)

    /// A loop without a thread, which does nothing before ``run(_:)``.
    public convenience init() { self.init(longTurn: .milliseconds(100)) }

    /// - Parameter longTurn: Turns that take so long are told; see ``LoopClient/wasHeldUp(for:)``.
    init(longTurn: Duration) {
        self.longTurn = longTurn
        poller = Poller()
        poller.watch(bell.descriptor, for: EPOLLIN.rawValue | sluice_edge_triggered, isNew: true)
    }

    deinit {
        // The thread holds the loop, so it is over or about to be; possibly this is its last act.
        takeJoinable()?.detach()
        poller.close()
    }

    /// Starts the thread; to be called once.
    public func run(_ client: some LoopClient) {
        // The lock is held until the thread's name is stored, lest it ends before.
        joinable.withLock { joinable in
            precondition(thread.load(ordering: .relaxed) == 0, "a loop runs once")
            let started = WorkerThread { self.serve(client) }
            thread.store(started.identifier, ordering: .relaxed)
            joinable = started
        }
    }

    /// Blocks until the thread is over and has let go of its client; at once if it never ran.
    ///
    /// One caller waits; a second one returns at once.
    ///
    /// - Precondition: Not on the loop's own thread, nor on a thread that the loop waits for.
    public func waitUntilEnded() {
        guard let thread = takeJoinable() else { return }
        precondition(!thread.isCurrent, "the loop would wait for itself")
        thread.join()
    }

    /// Takes a job of the actor from any thread; the loop runs it in the order in which they came.
    ///
    /// - Precondition: The loop has not ended.
    public func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        change { inbox in
            precondition(!inbox.isEnded, "a job for a loop that ended: shut down the users of its actor first")
            inbox.jobs.append(job)
        }
    }

    /// Asks for a round soon; without effect once the loop ended.
    public func wake() { change { $0.isWoken = true } }

    /// Whether this is the loop's thread; `false` before ``run(_:)``.
    public func isIsolatingCurrentContext() -> Bool? { pthread_self() == thread.load(ordering: .relaxed) }
    /// Stops the process where an actor's state would be touched from elsewhere.
    public func checkIsolated() { precondition(isIsolatingCurrentContext() == true, "not on the loop's thread") }

    private func takeJoinable() -> WorkerThread? {
        joinable.withLock { joinable in
            defer { joinable = nil }
            return joinable
        }
    }

    private func change(_ body: (inout sending Inbox) -> Void) {
        let mustRing = inbox.withLock { inbox in
            body(&inbox)
            defer { inbox.isAsleep = false }
            return inbox.isAsleep
        }
        if mustRing { bell.ring() }
    }

    private func serve(_ client: some LoopClient) {
        thread.store(pthread_self(), ordering: .relaxed)
        var jobs: ContiguousArray<UnownedJob> = []
        var ready: [SocketEvent] = []
        var turn = MonotonicClock.now()
        var sleep = LoopSleep.until(turn)
        while true {
            let mustStay = beginRound(&jobs, isEnding: sleep == .ended)
            for job in jobs { unsafe job.runSynchronously(on: asUnownedSerialExecutor()) }
            if sleep == .ended, jobs.isEmpty { return }
            let now = MonotonicClock.now()
            if now - turn >= longTurn { client.wasHeldUp(for: now - turn) }
            poller.wait(mustStay ? .until(now) : sleep, now: now, into: &ready)
            inbox.withLock { $0.isAsleep = false }
            turn = MonotonicClock.now()
            sleep = client.turn(ready, now: turn)
        }
    }

    /// Takes the waiting jobs; without any, allows wake-ups to ring from now on.
    ///
    /// - Returns: Whether the thread must not sleep in this round.
    private func beginRound(_ jobs: inout ContiguousArray<UnownedJob>, isEnding: Bool) -> Bool {
        jobs.removeAll(keepingCapacity: true)
        return inbox.withLock { inbox in
            swap(&jobs, &inbox.jobs)
            defer { inbox.isWoken = false }
            inbox.isAsleep = jobs.isEmpty && !inbox.isWoken
            inbox.isEnded = isEnding && jobs.isEmpty
            return !inbox.isAsleep
        }
    }
}
