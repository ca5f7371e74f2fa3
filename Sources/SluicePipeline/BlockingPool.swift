internal import Glibc
public import SluiceCore
internal import SluiceSystem

/// Threads for work that blocks or takes long: decoding above all.
///
/// Jobs run by priority, then in the order added. The threads are started with the
/// first job, and ``close()`` ends them; jobs that did not start by then never do,
/// and are dropped as each was added to be.
public final class BlockingPool: Sendable {
    private struct Job: Sendable {
        let run: @Sendable () -> Void
        let drop: @Sendable () -> Void
    }

    private struct State {
        var jobs = PriorityQueue<Job>()
        var threads = 0
        var idle = 0
        /// Jobs that no thread has taken.
        var waiting = 0
        var isClosed = false
    }

    private let limit: Int
    private let niceness: Int32
    private let state = Locked(State())
    /// One for each job that waits, and one more for each thread when closed.
    private let turns = Semaphore()

    /// - Parameters:
    ///   - threads: Threads at most. `1...64`
    ///   - niceness: How far its threads stand behind the process's others where cores are short, as in nice(2). `0...19`
    public init(threads: Int, niceness: Int = 0) {
        precondition((1...64).contains(threads), "a pool has 1 to 64 threads")
        self.niceness = Int32(niceness)
        limit = threads
    }

    /// Adds a job; never blocks.
    ///
    /// - Parameters:
    ///   - priority: Before which others it runs.
    ///   - run: The job, for a thread of the pool.
    ///   - drop: What is done in place of a job that never starts: lets go of what it holds, and tells who waits.
    ///     Called on the thread that closes the pool, and on this one where it is closed already.
    public func add(
        _ priority: Priority,
        _ run: @escaping @Sendable () -> Void,
        dropped drop: @escaping @Sendable () -> Void = {}
    ) {
        let mustStart: Bool? = state.withLock { state in
            guard !state.isClosed else { return nil }
            state.jobs.append(Job(run: run, drop: drop), priority)
            state.waiting += 1
            guard state.idle < state.waiting, state.threads < limit else { return false }
            state.threads += 1
            return true
        }
        guard let mustStart else { return drop() }
        if mustStart { start() }
        turns.give()
    }

    /// Lets the threads end after the jobs that they run, and drops all others; does not wait for the threads.
    ///
    /// Its owner's to call, once the loop has ended: until then a pipeline waits for the jobs that it added.
    public func close() {
        let (threads, jobs) = state.withLock { state in
            defer { (state.jobs, state.isClosed) = (PriorityQueue(), true) }
            return (state.threads, state.jobs)
        }
        turns.give(threads)
        var unstarted = jobs
        while let job = unstarted.popFirst() { job.drop() }
    }

    /// Where the process is out of threads, those that there are do the work.
    private func start() {
        if let thread = WorkerThread.start({ [self] in serve() }) { return thread.detach() }
        let others = state.withLock { state in
            state.threads -= 1
            return state.threads
        }
        precondition(others > 0, "out of threads")
    }

    private func serve() {
        // Linux keeps it for each thread.
        if niceness > 0 { _ = nice(niceness) }
        while true {
            state.withLock { $0.idle += 1 }
            turns.take()
            let (job, isClosed) = state.withLock { state in
                state.idle -= 1
                let job = state.jobs.popFirst()
                if job != nil { state.waiting -= 1 }
                return (job, state.isClosed)
            }
            if isClosed { return }
            job?.run()
        }
    }
}
