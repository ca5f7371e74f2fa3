import Glibc
import SluiceCore
import SluiceSystem

/// A thread with an inbox: what is added is done there in that order, and before ``close()`` returns.
///
/// Adding never waits for the thread. It starts with the first job, or with ``start(_:)``; its owner makes it, and
/// serves it with ``next(_:)`` until that has no more. What jobs have to share with others is the owner's to lock.
final class JobThread<Job: Sendable>: Sendable {
    /// When jobs are enough to be done together; until then the first one waits for others.
    struct Collecting {
        /// Of all jobs, in whatever ``JobThread/add(weight:else:_:)`` is told.
        let mostWeight: Int
        let mostJobs: Int
        /// How long the first job waits at most, in milliseconds.
        let patience: Int32
    }

    private struct Inbox {
        var jobs: [Job] = []
        /// Of the jobs that wait.
        var weight = 0
        /// Jobs that were ever added.
        var added = 0
        /// Whether the jobs that wait shall not wait for others.
        var isHastened = false
        /// Whether the thread waits for the bell, or is about to.
        var isAsleep = false
        var isEnding = false
        var thread: WorkerThread?

        mutating func begin(_ make: () -> WorkerThread) {
            if thread == nil { thread = make() }
        }

        func isFull(_ collecting: Collecting) -> Bool {
            isHastened || jobs.count >= collecting.mostJobs || weight >= collecting.mostWeight
        }
    }

    private let collecting: Collecting?
    private let bell = Doorbell(waits: true)
    private let inbox: Locked<Inbox>

    /// - Parameter collecting: How many jobs are awaited; without it the thread takes what there is.
    init(collecting: Collecting? = nil) {
        self.collecting = collecting
        inbox = Locked(Inbox())
    }

    /// Starts the thread before there are jobs.
    ///
    /// - Parameter make: Makes the thread, with the inbox locked.
    /// - Returns: `false` if it was started before, or closed.
    func start(_ make: () -> WorkerThread) -> Bool {
        inbox.withLock { inbox in
            guard inbox.thread == nil, !inbox.isEnding else { return false }
            inbox.thread = make()
            return true
        }
    }

    /// Adds one job, and starts the thread if need be.
    ///
    /// - Parameters:
    ///   - weight: Counts to what is collected. `0...`
    ///   - make: Makes the thread, with the inbox locked.
    ///   - append: Appends the job to those that wait, with the inbox locked: so it can be moved there.
    /// - Returns: The number of the job, from 1; `nil` if the inbox is closed, and nothing was appended.
    @discardableResult
    func add(weight: Int = 0, else make: () -> WorkerThread, _ append: (inout [Job]) -> Void) -> Int? {
        let added: (number: Int, mustRing: Bool)? = inbox.withLock { inbox in
            if inbox.isEnding { return nil }
            append(&inbox.jobs)
            inbox.added += 1
            inbox.weight += weight
            inbox.begin(make)
            defer { inbox.isAsleep = false }
            return (inbox.added, inbox.isAsleep || collecting.map(inbox.isFull) ?? false)
        }
        guard let added else { return nil }
        if added.mustRing { bell.ring() }
        return added.number
    }

    /// Has the jobs that wait done at once, since no others are expected; nothing where none wait.
    func hasten() {
        let mustRing = inbox.withLock { inbox in
            if inbox.jobs.isEmpty || inbox.isHastened { return false }
            inbox.isHastened = true
            return true
        }
        if mustRing { bell.ring() }
    }

    /// Takes no more jobs, waits until those that there are were done, and for the thread to end.
    func close() {
        let thread = inbox.withLock { inbox in
            inbox.isEnding = true
            defer { inbox.thread = nil }
            return inbox.thread
        }
        guard let thread else { return }
        bell.ring()
        thread.join()
    }

    /// Waits for jobs and takes all that there are; only for the thread itself.
    ///
    /// - Parameter jobs: What was taken before, which is let go; its memory serves for the jobs to come.
    /// - Returns: The number of the last job; `nil` if there are none any more, and the thread shall end.
    func next(_ jobs: inout [Job]) -> Int? {
        jobs.removeAll(keepingCapacity: true)
        while true {
            let (isEmpty, isEnding) = inbox.withLock { inbox in
                inbox.isAsleep = inbox.jobs.isEmpty
                return (inbox.jobs.isEmpty, inbox.isEnding)
            }
            if !isEmpty { break }
            if isEnding { return nil }
            bell.answer()
        }
        if let collecting { collect(collecting) }
        return inbox.withLock { inbox in
            swap(&jobs, &inbox.jobs)
            (inbox.weight, inbox.isHastened) = (0, false)
            return inbox.added
        }
    }

    /// Gives jobs a moment to become more.
    private func collect(_ collecting: Collecting) {
        let isEnough = inbox.withLock { inbox in inbox.isEnding || inbox.isFull(collecting) }
        if isEnough { return }
        var watched = pollfd(fd: bell.descriptor, events: Int16(POLLIN), revents: 0)
        if unsafe poll(&watched, 1, collecting.patience) > 0 { bell.answer() }
    }
}
