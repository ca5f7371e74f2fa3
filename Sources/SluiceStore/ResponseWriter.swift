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
        /// All jobs up to this one are on disk, or lost, but for the removals that are tried again.
        ///
        /// With the sums that hold now, other processes' changes included; `nil` where they could never be read.
        case done(upTo: Int, total: (bytes: Int, count: Int)?, unremoved: Set<ResponseID>)
        case evicted(ResponseID, EvictedResponse)
        /// Nothing is there any more, nor can be stored from now on, and why.
        case lost(String)
    }

    private let folder: ResponseFolder
    private let session: ResponseSession
    private let capacity: Int
    /// The weight of a job is the bytes of its body.
    private let jobs = JobThread<Job>(collecting: .init(mostWeight: 8_388_608, mostJobs: 256, patience: 50))
    /// On their way back.
    private let news = Locked<[News]>([])
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
        var weight = 0
        if case .add(let addition) = job { weight = addition.body.count }
        let number = jobs.add(weight: weight, else: { WorkerThread { [self] in serve() } }) { $0.append(job) }
        guard let number else { preconditionFailure("the store is closed") }
        return number
    }

    func takeNews() -> [News] {
        // Nearly always in vain, which only a read is cheap for.
        guard hasNews.load(ordering: .relaxed), hasNews.exchange(false, ordering: .acquiring) else { return [] }
        return news.withLock { news in
            defer { news = [] }
            return news
        }
    }

    /// Has what waits written at once.
    func hasten() { jobs.hasten() }

    /// Does what is left, and ends the thread.
    func close() { jobs.close() }

    private func serve() {
        var opened: (index: ResponseIndex, batch: ResponseBatch)?
        var problem = ""
        do throws(DatabaseError) {
            let index = try ResponseIndex(path: folder.indexPath, of: session)
            opened = (index, try ResponseBatch(folder, index, session, capacity: capacity))
        } catch {
            problem = error.message
            if error == ResponseIndex.isGone { post([.lost(problem)]) }
        }
        var jobs: [Job] = []
        var last = 0
        while let number = self.jobs.next(&jobs) {
            // What is written for an index that nobody finds any more would be nobody's.
            if opened?.index.database.hasMoved == true {
                (opened, problem) = (nil, ResponseIndex.isGone.message)
                post([.lost(problem)])
            }
            if let batch = opened?.batch { perform(jobs, number, batch) } else { lose(jobs, number, problem) }
            last = number
        }
        // What could not be removed is tried once more, as there is no later time.
        if let batch = opened?.batch, !batch.unremoved.isEmpty {
            perform([], last, batch)
            batch.giveUp()
        }
    }

    private func perform(_ jobs: [Job], _ number: Int, _ batch: ResponseBatch) {
        let evicted = batch.perform(jobs)
        if batch.announced > announced { announcedUpTo.store(batch.announced, ordering: .relaxed) }
        var news: [News] = evicted.map { .evicted($0.id, $0.news) }
        news.append(.done(upTo: number, total: batch.totals, unremoved: batch.unremoved))
        post(news)
    }

    /// Does what can be done without an index.
    private func lose(_ jobs: [Job], _ number: Int, _ problem: String) {
        var news: [News] = []
        for job in jobs {
            switch job {
            case .add(let addition):
                if addition.place.hasName { folder.remove(addition.id.rawValue) }
                let response = addition.response
                let why = HTTPCacheWhy.cannotWrite(problem)
                news.append(.evicted(addition.id, EvictedResponse(url: response.url, bytes: response.size, why: why)))
            // Without its body, an entry that can't be removed answers nothing.
            case .remove(let id): folder.remove(id.rawValue)
            case .update, .use, .capacity, .expire: break
            }
        }
        post(news + [.done(upTo: number, total: nil, unremoved: [])])
    }

    private func post(_ news: [News]) {
        self.news.withLock { $0 += news }
        hasNews.store(true, ordering: .releasing)
        wake()
    }
}
