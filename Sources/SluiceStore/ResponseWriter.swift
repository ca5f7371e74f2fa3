import CLinux
import Glibc
import SluiceCore
import SluiceSystem
import Synchronization

/// Writes bodies and index entries on a thread of its own, many in one transaction.
///
/// Jobs are done in the order in which they came. The thread starts with the first job,
/// waits a moment for more, and ends with ``close()``, which first does what is left. What
/// fails costs an entry of the cache and nothing else.
final class ResponseWriter: Sendable {
    enum Job: Sendable {
        case add(ResponseAddition)
        case update(StoredResponse)
        case use(ResponseID, at: Int64)
        case remove(ResponseID)
        case capacity(Int)
        /// Drops what was not used since then, in milliseconds since 1970.
        case expire(before: Int64)
    }

    enum News: Sendable {
        /// All jobs up to this one are on disk; with the sums that hold now, other processes' changes included.
        case done(upTo: Int, bytes: Int, count: Int)
        case evicted(ResponseID, EvictedResponse)
    }

    private struct State {
        var jobs: [Job] = []
        /// Jobs that were ever added.
        var added = 0
        /// Bytes of the bodies that wait.
        var waiting = 0
        var news: [News] = []
        var isEnding = false
        var thread: WorkerThread?
    }

    /// More are not collected before they are written.
    private static let mostJobs = 256
    private static let mostBytes = 8_388_608
    /// How long one job waits for others, in milliseconds.
    private static let patience: Int32 = 50

    private let folder: ResponseFolder
    private let session: ResponseSession
    private let capacity: Int
    private let bell = Doorbell(waits: true)
    /// Jobs on their way to the thread, and news on their way back.
    private let state = Locked(State())
    /// Whether there are news, which is asked far more often than there are any.
    private let hasNews = Atomic<Bool>(false)
    private let wake: @Sendable () -> Void
    /// See ``announced``.
    private let announcedUpTo: Atomic<Int64>

    init(_ folder: ResponseFolder, session: ResponseSession, capacity: Int, wake: @escaping @Sendable () -> Void) {
        (self.folder, self.session, self.capacity, self.wake) = (folder, session, capacity, wake)
        announcedUpTo = Atomic(session.first + ResponseIndex.announced)
    }

    /// Bodies of identifiers below may be there before their entries: the next session clears up after a kill.
    var announced: Int64 { announcedUpTo.load(ordering: .relaxed) }

    /// - Returns: The number of the job, from 1.
    @discardableResult
    func add(_ job: Job) -> Int {
        let (number, mustRing) = state.withLock { state in
            precondition(!state.isEnding, "the store is closed")
            state.jobs.append(job)
            state.added += 1
            if case .add(let addition) = job { state.waiting += addition.body.count }
            if state.thread == nil { state.thread = WorkerThread { [self] in serve() } }
            let isFull = state.jobs.count == Self.mostJobs || state.waiting >= Self.mostBytes
            return (state.added, state.jobs.count == 1 || isFull)
        }
        if mustRing { bell.ring() }
        return number
    }

    func takeNews() -> [News] {
        guard hasNews.exchange(false, ordering: .acquiring) else { return [] }
        return state.withLock { state in
            defer { state.news = [] }
            return state.news
        }
    }

    /// Does what is left, and ends the thread.
    func close() {
        let thread = state.withLock { state in
            state.isEnding = true
            defer { state.thread = nil }
            return state.thread
        }
        guard let thread else { return }
        bell.ring()
        thread.join()
    }

    // MARK: The thread

    private func serve() {
        var batch: ResponseBatch?
        do throws(DatabaseError) {
            batch = try ResponseBatch(folder, try ResponseIndex(path: folder.indexPath), session, capacity: capacity)
        } catch {
            batch = nil
        }
        while true {
            let isEnding = waitForJobs()
            var number = 0
            let jobs = state.withLock { state in
                defer { (state.jobs, state.waiting) = ([], 0) }
                number = state.added
                return state.jobs
            }
            if !jobs.isEmpty { perform(jobs, number, batch) }
            if isEnding { return }
        }
    }

    private func perform(_ jobs: [Job], _ number: Int, _ batch: ResponseBatch?) {
        guard let batch else {
            for case .add(let addition) in jobs where addition.place == .linked { folder.remove(addition.id.rawValue) }
            post([.done(upTo: number, bytes: 0, count: 0)])
            return
        }
        let evicted = batch.perform(jobs)
        if batch.announced > announced { announcedUpTo.store(batch.announced, ordering: .relaxed) }
        post(evicted.map { .evicted($0.id, $0.news) } + [.done(upTo: number, bytes: batch.bytes, count: batch.count)])
    }

    /// Waits for the first job, and a moment for those that follow.
    ///
    /// - Returns: Whether no more come.
    private func waitForJobs() -> Bool {
        bell.answer()
        let (isEnding, isFull) = state.withLock { state in
            (state.isEnding, state.jobs.count >= Self.mostJobs || state.waiting >= Self.mostBytes)
        }
        if isEnding || isFull { return isEnding }
        var watched = pollfd(fd: bell.descriptor, events: Int16(POLLIN), revents: 0)
        _ = unsafe poll(&watched, 1, Self.patience)
        return state.withLock { $0.isEnding }
    }

    private func post(_ news: [News]) {
        state.withLock { $0.news += news }
        hasNews.store(true, ordering: .releasing)
        wake()
    }
}
