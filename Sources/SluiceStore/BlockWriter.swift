import CLinux
import Glibc
import SluiceCore
import SluiceSystem
import Synchronization

/// Writes the blocks of large bodies, and makes the files of small ones, on a thread of its own, so that no disk stops a
/// transfer.
///
/// Jobs are done in the order in which they came. The queue is bounded in bytes: who
/// finds no room is told when there is some. Blocks come back empty to be filled again,
/// so their memory is bounded too. The thread starts with the first job and ends with ``close()``.
final class BlockWriter: Sendable {
    enum News: Equatable, Sendable {
        case drained(FileID)
        /// Another file has just the bytes of this one; comes before ``written(_:)``.
        case equal(FileID, SavedFile)
        case written(FileID)
        /// With `errno`.
        case failed(FileID, Int32)
        /// A body that was handed over whole has its name.
        case saved(FileID, SavedFile)
        /// It has not.
        case unsaved(FileID, DownloadError)
    }

    private struct Job: Sendable {
        enum Action: Sendable {
            case write(offset: Int)
            /// Says that all blocks of a file are written, after a sync if wanted, and compares it with another.
            case end(syncs: Bool, comparing: FileTwin?)
            /// Makes the whole file, and gives it a place in the cache too.
            case save(SmallBody, ReservedBody?)
            /// Closes a part, and with that unlocks it; with its path if it stays.
            case close(String?)
            /// Rings a bell, the descriptor, when all jobs before it are done.
            case signal
        }
        let action: Action
        let file: FileID
        let descriptor: Int32
        var block: [UInt8] = []
    }

    private struct State {
        var news = Queue<News>()
        var blocks = SpareBlocks(capacity: BlockWriter.blockSize, limit: 32)
        var smallOnes = SpareBlocks(capacity: SmallBody.limit, limit: 16)
        /// Of the blocks that wait or are being written.
        var byteCount = 0
        /// Files that found no room.
        var waiting: [FileID] = []
        /// Who was told first when there was room last.
        var first: FileID?
        /// Files whose blocks no longer matter.
        var dropped: Set<FileID> = []
        /// Paths of parts that stay, and are locked until they are closed.
        var closing: Set<ExactText> = []

        /// Those that found no room, in the order in which they may take it.
        ///
        /// The first may take all of it, and so be the first that finds none again: then it is another's turn.
        mutating func takeWaiting() -> [FileID] {
            if waiting.count > 1, waiting[0] == first { waiting.append(waiting.removeFirst()) }
            if let next = waiting.first { first = next }
            defer { waiting = [] }
            return waiting
        }
    }

    /// Bytes of a block.
    static let blockSize = 262_144
    /// Bytes that may wait.
    static let limit = 8_388_608

    private let jobs = JobThread<Job>()
    /// What the jobs have to do with, and news and blocks on their way back.
    private let state = Locked(State())
    /// For who waits until all is written: made before, since it is needed when files are out, too.
    private let drained = Locked(Doorbell(waits: true))
    /// Changed with the lock held.
    private let hasNews = Atomic<Bool>(false)
    private let wake: @Sendable () -> Void

    init(wake: @escaping @Sendable () -> Void) { self.wake = wake }

    /// Whether one more block may be handed over; if not, ``News/drained(_:)`` follows.
    func hasRoom(for file: FileID) -> Bool {
        state.withLock { state in
            if state.byteCount + Self.blockSize <= Self.limit { return true }
            if !state.waiting.contains(file) { state.waiting.append(file) }
            return false
        }
    }

    /// Whether one more block would find room, for who can do without.
    var isReady: Bool { state.withLock { $0.byteCount + Self.blockSize <= Self.limit } }

    /// An empty block, recycled if possible.
    func makeBlock() -> [UInt8] { state.withLock { $0.blocks.take() } }

    /// An empty array for a small body, one that came with another if possible.
    func makeSmall() -> [UInt8] { state.withLock { $0.smallOnes.take() } }

    /// Takes back a block that was not handed over; leaves an empty array.
    func recycle(_ block: inout [UInt8]) { state.withLock { $0.blocks.put(&block) } }

    /// Takes back the array of a small body that was not handed over; leaves an empty one.
    func recycleSmall(_ array: inout [UInt8]) { state.withLock { $0.smallOnes.put(&array) } }

    /// Hands a block over; leaves an empty array.
    func write(_ block: inout [UInt8], to file: FileID, _ descriptor: Int32, at offset: Int) {
        add(Job(action: .write(offset: offset), file: file, descriptor: descriptor), &block)
    }

    /// Asks for ``News/written(_:)`` once all blocks of a file are.
    ///
    /// - Parameters:
    ///   - file: Which.
    ///   - descriptor: Open for reading too.
    ///   - syncs: Whether it is to be on disk then.
    ///   - twin: What may have the same bytes; ``News/equal(_:_:)`` if so.
    func end(_ file: FileID, _ descriptor: Int32, syncs: Bool, comparing twin: FileTwin? = nil) {
        add(Job(action: .end(syncs: syncs, comparing: twin), file: file, descriptor: descriptor))
    }

    /// Makes the file of a whole body; ``News/saved(_:_:)`` or ``News/unsaved(_:_:)`` follows, unless it is dropped first.
    ///
    /// - Parameters:
    ///   - body: Whose it is.
    ///   - reserved: Where the file goes too, if that can be done before anybody hears of it.
    ///   - bytes: All of it; leaves an empty array.
    ///   - file: Which.
    func save(_ body: SmallBody, _ reserved: ReservedBody?, _ bytes: inout [UInt8], as file: FileID) {
        add(Job(action: .save(body, reserved), file: file, descriptor: -1), &bytes, counts: false)
    }

    /// Closes a descriptor once nothing is written to it any more.
    ///
    /// - Parameters:
    ///   - file: Which.
    ///   - descriptor: Locks the file that long.
    ///   - path: Where it stays; `nil` if nobody can meet it any more.
    func close(_ file: FileID, _ descriptor: Int32, staysAt path: String? = nil) {
        if let path { state.withLock { state in _ = state.closing.insert(ExactText(path)) } }
        add(Job(action: .close(path), file: file, descriptor: descriptor))
    }

    /// Blocks until a part that stays is unlocked; may be called on any thread.
    ///
    /// Returns at once if none is about to be closed at the path: nobody waits for the blocks of others.
    func waitUntilClosed(_ path: String) {
        if state.withLock({ $0.closing.contains(ExactText(path)) }) { drain() }
    }

    /// Keeps the blocks of a file that still wait from being written; ``close(_:_:)`` must follow.
    ///
    /// A whole body that waits is not saved then, and needs no closing.
    func drop(_ file: FileID) { state.withLock { state in _ = state.dropped.insert(file) } }

    /// Forgets that a body was dropped, since it was saved before.
    func forget(_ file: FileID) { state.withLock { state in _ = state.dropped.remove(file) } }

    /// Takes the oldest news; costs next to nothing without any, since it is asked far more often than there are some.
    func takeNews() -> News? {
        guard hasNews.load(ordering: .acquiring) else { return nil }
        return state.withLock { state in
            let news = state.news.popFirst()
            if state.news.isEmpty { hasNews.store(false, ordering: .relaxed) }
            return news
        }
    }

    /// Rings a bell, an `eventfd`, once all jobs so far are done.
    func signal(_ bell: Int32) { add(Job(action: .signal, file: FileID(0), descriptor: bell)) }

    /// Blocks until all jobs so far are done; may be called on any thread, also when the writer ends.
    func drain() {
        drained.withLock { done in
            var none: [UInt8] = []
            let job = Job(action: .signal, file: FileID(0), descriptor: done.descriptor)
            guard tryAdd(job, &none, counts: false) else { return }
            done.answer()
        }
    }

    /// Does what is left, and ends the thread.
    func close() { jobs.close() }

    /// Writes all bytes at an offset, on the caller's thread.
    ///
    /// - Parameters:
    ///   - bytes: What to write.
    ///   - descriptor: Where to.
    ///   - offset: From where on.
    /// - Returns: `errno`, or 0.
    static func write(_ bytes: Span<UInt8>, _ descriptor: Int32, at offset: Int) -> Int32 {
        unsafe bytes.withUnsafeBufferPointer { bytes in
            var done = 0
            while done < bytes.count {
                let start = unsafe bytes.baseAddress?.advanced(by: done)
                let count = unsafe pwrite(descriptor, start, bytes.count - done, offset + done)
                if count < 0, errno != EINTR { return errno }
                done += max(0, count)
            }
            return 0
        }
    }

    // MARK: The queue

    private func add(_ job: Job) {
        var none: [UInt8] = []
        add(job, &none)
    }

    /// Small bodies do not count for the limit: the slots bound them.
    private func add(_ job: Job, _ block: inout [UInt8], counts: Bool = true) {
        let isAdded = tryAdd(job, &block, counts: counts)
        precondition(isAdded, "the store is closed")
    }

    /// - Returns: `false` if the writer ends, and does only what it has.
    private func tryAdd(_ job: Job, _ block: inout [UInt8], counts: Bool) -> Bool {
        let count = counts ? block.count : 0
        if count > 0 { state.withLock { $0.byteCount += count } }
        let number = jobs.add(else: { WorkerThread { [self] in serve() } }) { jobs in
            jobs.append(job)
            swap(&jobs[jobs.count - 1].block, &block)
        }
        return number != nil
    }

    // MARK: The thread

    private func serve() {
        var taken = TakenNames()
        var jobs: [Job] = []
        while self.jobs.next(&jobs) != nil {
            for index in jobs.indices { perform(&jobs[index], &taken) }
        }
    }

    private func perform(_ job: inout Job, _ taken: inout TakenNames) {
        switch job.action {
        case .write(let offset):
            let error = isDropped(job.file) ? 0 : Self.write(job.block.span, job.descriptor, at: offset)
            endWrite(&job, error)
        case .end(let syncs, let twin):
            // A failure was news already.
            if isDropped(job.file) { return }
            // It is synced all the same: it gets the name after all if the other has another date, or is changed meanwhile.
            if let equal = twin?.file(equalTo: job.descriptor) { post([.equal(job.file, equal)]) }
            let isSafe = !syncs || fdatasync(job.descriptor) == 0
            post([isSafe ? .written(job.file) : .failed(job.file, errno)])
        case .save(let body, let reserved):
            if !isForgotten(job.file) {
                post(job.file) { () throws(DownloadError) in try body.save(job.block.span, reserved, &taken) }
            }
            recycleSmall(&job.block)
        case .close(let path):
            Glibc.close(job.descriptor)
            let file = job.file
            state.withLock { state in
                state.dropped.remove(file)
                if let path { state.closing.remove(ExactText(path)) }
            }
        case .signal:
            eventfd_write(job.descriptor, 1)
        }
    }

    /// Whether a small body was dropped, which is forgotten with that.
    private func isForgotten(_ file: FileID) -> Bool { state.withLock { $0.dropped.remove(file) != nil } }

    /// Saves a small body, and tells what became of it.
    private func post(_ file: FileID, _ save: () throws(DownloadError) -> SavedFile) {
        do throws(DownloadError) {
            post([.saved(file, try save())])
        } catch {
            post([.unsaved(file, error)])
        }
    }

    private func isDropped(_ file: FileID) -> Bool { state.withLock { $0.dropped.contains(file) } }

    private func endWrite(_ job: inout Job, _ error: Int32) {
        let (count, file) = (job.block.count, job.file)
        recycle(&job.block)
        let drained = state.withLock { state in
            state.byteCount -= count
            if error != 0 { state.dropped.insert(file) }
            if state.byteCount > Self.limit / 2 { return [FileID]() }
            return state.takeWaiting()
        }
        post(drained.map { .drained($0) } + (error == 0 ? [] : [.failed(file, error)]))
    }

    private func post(_ news: [News]) {
        if news.isEmpty { return }
        let wasEmpty = state.withLock { state in
            defer {
                for item in news { state.news.append(item) }
                hasNews.store(true, ordering: .releasing)
            }
            return state.news.isEmpty
        }
        if wasEmpty { wake() }
    }
}
