import CLinux
import Glibc
public import SluiceCore
import SluiceSystem

/// The HTTP cache on disk: an index in SQLite, and a file for each body.
///
/// Confined to the pipeline's thread, which it never makes wait: what it answers comes from
/// memory or from a read of the index, which no writer holds up. Additions, uses and removals
/// hold at once and are written by a thread of its own, which ``close()`` ends. Any number of
/// processes may share a directory. What every transfer touches is checked for exclusive access in debug builds only.
public final class ResponseStore: ResponseStoring {
    /// Lookups before the hashes of all URLs are read, which makes all later ones in vain cheap.
    private static let patience = 16
    /// Bytes in memory that may wait for the disk.
    private static let backlog = 67_108_864
    /// Jobs that may wait where a file of the user's is held open until the writer comes to it.
    static let mostOpen = 64
    private static let week: Int64 = 7 * 86_400_000
    /// What was not used since then is dropped at the start, and answers nothing until it is; milliseconds since 1970.
    private let oldest: Int64

    let folder: ResponseFolder
    let index: ResponseIndex
    let writer: ResponseWriter
    private let session: ResponseSession
    private var lock: HeldLock?
    /// Milliseconds since 1970.
    let clock: @Sendable () -> Int64
    private var nextID: Int64
    private let lastID: Int64
    private var isClosed = false
    /// Why nothing can be stored any more, and whether nobody was told yet.
    private var loss: (why: String, isNews: Bool)?

    #if !DEBUG
    @safe @exclusivity(unchecked)
    #endif
    var pending = PendingResponses()
    /// The number of the last job that the writer got, and of the last one that it has done.
    private var jobs = (given: 0, done: 0)
    /// When bodies that are on disk were last modified, for those that were looked up.
    var modified: [ResponseID: Int64] = [:]
    /// When responses were used, where the index may not know it yet.
    var used: [ResponseID: Int64] = [:]
    #if !DEBUG
    @safe @exclusivity(unchecked)
    #endif
    private var evictions = Queue<EvictedResponse>()
    /// Bytes of those that nobody was told of yet.
    private var untold = 0

    /// What the index held after the writer's last batch.
    #if !DEBUG
    @safe @exclusivity(unchecked)
    #endif
    private var total: (bytes: Int, count: Int)
    private(set) var capacity: Int

    #if !DEBUG
    @safe @exclusivity(unchecked)
    #endif
    private var hashes: Set<Int64>?
    private var lookups = 0
    /// When the hashes were read, which is not for each session that comes and goes.
    private var hashesRead: Timestamp?
    /// When the other sessions were looked for and asked for, and when one had last come or gone by then.
    private var othersRead = (looked: Timestamp(nanoseconds: 0), asked: Timestamp(nanoseconds: 0), changed: Int64(0))
    /// Whether the others may have changed the sums since they were read.
    private var isTotalDue = false
    private var others: (next: Int64, areOpen: Bool)

    /// To be evicted next.
    var victims = LeastRecentRows()
    var hot: PurgingCache<[UInt8]>

    /// Opens the cache, made if missing; a damaged index is put aside, also one whose damage an earlier session met.
    ///
    /// - Parameters:
    ///   - directory: Of the cache; made for its owner alone.
    ///   - capacity: Bytes of all bodies; 0 means no limit.
    ///   - memory: Bytes of bodies that are kept in memory too.
    ///   - clock: Milliseconds since 1970.
    ///   - wake: Called on the writer's thread when there are news.
    /// - Throws: `ioError` or `diskFull` if the directory can't be used.
    public init(
        directory: String,
        capacity: Int,
        memory: Int,
        clock: @escaping @Sendable () -> Int64,
        wake: @escaping @Sendable () -> Void
    ) throws(DownloadError) {
        folder = try ResponseFolder(directory)
        (self.capacity, self.clock, oldest) = (capacity, clock, clock() - Self.week)
        hot = PurgingCache(capacity: memory, preferred: memory / 10 * 9)
        do throws(DatabaseError) {
            let begun = try BegunIndex.begin(in: folder)
            (index, session, lock, total) = (begun.index, begun.session, begun.lock, begun.totals)
            (nextID, lastID) = (session.first, session.end)
            others = (session.end, !session.wasAlone)
        } catch {
            if case .full = error { throw DownloadError(.diskFull, error.message) }
            throw DownloadError(.ioError, error.message)
        }
        writer = ResponseWriter(folder, session: session, capacity: capacity, wake: wake)
        if total.count > 0 { jobs.given = writer.add(.expire(before: oldest)) }
    }

    deinit { close() }

    /// Writes what is left, and ends the writer's thread.
    public func close() {
        guard !isClosed else { return }
        isClosed = true
        writer.close()
        // A session that can't be ended is cleared up by the next one, and so is what may still get a name.
        if folder.firstReserved == nil {
            do throws(DatabaseError) { try index.endSession(session.id, in: folder) } catch { _ = error }
        }
        lock = nil
    }

    /// Those of the index after the last batch, and what waits for the next.
    public var figures: HTTPCacheFigures {
        takeNews()
        var figures = HTTPCacheFigures()
        figures.capacity = capacity
        figures.usage = max(0, total.bytes + pending.bytes)
        figures.count = max(0, total.count + pending.count)
        return figures
    }

    /// A read of one row, unless the writer is about to tell anyway.
    public func lookAgain() {
        takeNews()
        guard pending.isEmpty, loss == nil else { return }
        // An index that can't be read tells nothing new.
        do throws(DatabaseError) { total = try index.totals() } catch { _ = error }
    }

    // MARK: Finding

    /// What waits for the disk, then what the index has; most lookups in vain never reach it.
    public func responses(for url: String, now: Timestamp) -> [StoredResponse] {
        takeNews()
        return loss == nil ? responses(for: url, hash: ResponseIndex.hash(url), now: now) : []
    }

    private func responses(for url: String, hash: Int64, now: Timestamp) -> [StoredResponse] {
        // Nearly all end here: what waits for the disk is among the hashes too.
        guard mayHold(hash, now: now) else { return [] }
        var found = pending.added(for: url, hash: hash)
        if modified.count > 1024 { modified = [:] }
        do throws(DatabaseError) {
            for (response, time) in try index.responses(for: url, hash: hash, usedSince: oldest) {
                modified[response.id] = time
                if let change = pending[response.id] {
                    if change.addition == nil, let updated = change.response { found.append(updated) }
                } else {
                    found.append(response)
                }
            }
        } catch {
            // An index that can't be read holds nothing.
            return found
        }
        return found
    }

    /// Whether the index, or what waits for it, may hold a URL of that hash; alone, it rarely says yes in vain.
    private func mayHold(_ hash: Int64, now: Timestamp) -> Bool {
        lookups += 1
        do throws(DatabaseError) {
            try lookForOthers(now)
            // They add what they like when they like: only the index knows.
            if others.areOpen { return true }
            if hashes == nil, total.count == 0, others.next == session.end, session.wasAlone {
                // The index is empty, and need not be asked.
                hashes = Set(pending.hashes)
            } else if hashes == nil, lookups > Self.patience, hashesRead.map({ now - $0 >= .seconds(1) }) ?? true {
                var read = try index.hashes()
                // What the writer has not entered yet is found there only later.
                read.formUnion(pending.hashes)
                (hashes, hashesRead) = (read, now)
            }
        } catch {
            return true
        }
        return hashes?.contains(hash) ?? true
    }

    /// Looks which other sessions there are, if one came or went since the last time.
    ///
    /// That is a call to the system, which all lookups of a busy moment share. Once a second the index is asked in any
    /// case, for file systems with coarse times.
    private func lookForOthers(_ now: Timestamp) throws(DatabaseError) {
        guard now - othersRead.looked >= .milliseconds(10) else { return }
        othersRead.looked = now
        let changed = folder.changed
        let isNew = changed != othersRead.changed
        // What waits for the writer is in no total yet: the sums are read behind that.
        guard isNew || (isTotalDue && pending.isEmpty) || now - othersRead.asked >= .seconds(1) else { return }
        let found = try index.others()
        // Who was there before may have added something before it went, and who came and went has moved the next block.
        let hadOthers = found.areOpen || others.areOpen || found.next != others.next
        if hadOthers { hashes = nil }
        if hadOthers || isNew {
            isTotalDue = true
            victims.forget()
        }
        if isTotalDue, pending.isEmpty { (total, isTotalDue) = (try index.totals(), false) }
        (others, othersRead) = (found, (looked: now, asked: now, changed: changed))
    }

    // MARK: Changing

    /// Where there is little room there is no place: the writer makes room before there is another body.
    public func reserve(_ byteCount: Int) -> ReservedBody? {
        guard loss == nil, hasRoom(for: byteCount), nextID < min(writer.announced, lastID) else { return nil }
        defer { nextID += 1 }
        return folder.reserve(ResponseID(nextID))
    }

    /// Holds at once, and is written by the writer's thread; a descriptor is closed also where nothing is stored.
    public func add(
        _ response: StoredResponse,
        _ body: ResponseBody,
        reserved: ReservedBody?,
        now: Timestamp
    ) throws(StoringRefusal) -> (response: StoredResponse, evicted: [EvictedResponse]) {
        takeNews()
        if let loss {
            if case .descriptor(let descriptor, _) = body { Glibc.close(descriptor) }
            throw StoringRefusal(.cannotWrite(loss.why))
        }
        let hash = ResponseIndex.hash(response.url)
        let replaced = responses(for: response.url, hash: hash, now: now).filter { $0.isReplaced(by: response) }
        if let why = whyRefused(response, body, replaced) {
            if case .descriptor(let descriptor, _) = body { Glibc.close(descriptor) }
            throw StoringRefusal(why)
        }
        for old in replaced { remove(old) }
        let evicted = makeRoom(for: body.count)
        var added = response
        added.size = body.count
        let place: ResponseAddition.Place
        if let reserved, reserved.keep() {
            (added.id, place) = (reserved.id, .reserved)
        } else {
            added.id = ResponseID(nextID)
            nextID += 1
            place = self.place(of: body, added.id)
        }
        let addition = ResponseAddition(
            added,
            hash: hash,
            body: body,
            place: place,
            used: clock(),
            settled: folder.firstReserved?.rawValue ?? nextID
        )
        pending.add(addition, job: give(.add(addition)))
        hashes?.insert(hash)
        return (added, evicted)
    }

    /// Why a response is not stored in place of those that it would replace; `nil` where it is.
    private func whyRefused(
        _ response: StoredResponse,
        _ body: ResponseBody,
        _ replaced: [StoredResponse]
    ) -> HTTPCacheWhy? {
        if capacity > 0, body.count > capacity { return .tooLarge(bytes: body.count, limit: capacity) }
        // One from the future came before the clock was set back.
        let isNewerThere = replaced.contains { $0.isNewer(than: response) && $0.responseTime <= clock() }
        if isNewerThere { return .newerStored }
        if nextID >= lastID { return .cannotWrite("its index has no number left") }
        return pending.waitingBytes > Self.backlog ? .cannotWrite("the disk is too slow") : nil
    }

    /// Holds at once, and is written by the writer's thread.
    public func update(_ response: StoredResponse) {
        pending.update(response, job: give(.update(response)))
    }

    /// Noted once a second at most, since a use costs a write.
    public func use(_ response: StoredResponse) {
        let time = clock()
        // Whoever is used again within a second is no more recent by it than the rest.
        if let last = used[response.id], time - last < 1000 { return }
        used[response.id] = time
        give(.use(response.id, at: time))
    }

    /// Holds at once; the file goes when the writer comes to it.
    public func remove(_ response: StoredResponse) {
        if pending[response.id]?.isRemoved == true { return }
        victims.drop(response.id)
        pending.remove(response, job: give(.remove(response.id)))
        (modified[response.id], used[response.id]) = (nil, nil)
        _ = hot.remove(CacheKey(key: "\(response.id.rawValue)"))
    }

    /// Holds at once; other processes keep to their own limits.
    public func resize(capacity: Int, memory: Int, now: Timestamp) -> [EvictedResponse] {
        self.capacity = capacity
        if memory != hot.capacity { _ = hot.resize(capacity: memory, preferred: memory / 10 * 9, now: now) }
        let evicted = makeRoom(for: 0)
        // Behind those removals: the writer would choose by itself what goes, and the sums here would not know it yet.
        give(.capacity(capacity))
        return evicted
    }

    /// What the writer and other processes told since the last call, one at a time.
    ///
    /// How full the cache is without it counts what was added meanwhile, as all that is told does.
    public func nextEviction() -> EvictedResponse? {
        takeNews()
        guard var next = evictions.popFirst() else { return nil }
        untold -= next.bytes
        // The sums may hold by now what another process stored in the room that these left.
        let usage = figures.usage + untold
        next.usage = capacity > 0 ? min(usage, max(capacity, figures.usage)) : usage
        return next
    }

    /// Told when the writer first finds it out, at its next batch.
    public func takeLoss() -> String? {
        takeNews()
        guard let why = loss?.why, loss?.isNews == true else { return nil }
        loss?.isNews = false
        return why
    }

    /// Whether all that was asked for so far is on disk, as far as it can be.
    public var isWritten: Bool {
        takeNews()
        return jobs.done == jobs.given
    }

    /// Has what waits written at once: no more is expected soon.
    public func hasten() {
        if jobs.done != jobs.given { writer.hasten() }
    }

    /// Gives the writer a job.
    ///
    /// - Returns: Its number.
    @discardableResult
    private func give(_ job: ResponseWriter.Job) -> Int {
        jobs.given = writer.add(job)
        return jobs.given
    }

    // MARK: News

    private func takeNews() {
        for news in writer.takeNews() {
            switch news {
            // It goes from here too, which is told already.
            case .evicted(let id, _) where pending[id]?.isRemoved == true: pending.forestall(id)
            case .evicted(let id, let eviction):
                evictions.append(eviction)
                untold += eviction.bytes
                pending.lose(id)
                victims.drop(id)
            case .lost(let why):
                (loss, total) = ((why, isNews: true), (0, 0))
                (hashes, modified, used) = ([], [:], [:])
                hot = PurgingCache(capacity: hot.capacity, preferred: hot.preferred)
            case .done(let job, let total, let unremoved):
                if let total { self.total = total }
                pending.finish(upTo: job, but: unremoved)
                jobs.done = job
                if used.isEmpty { continue }
                let recent = clock() - 60_000
                used = used.filter { $0.value > recent }
            }
        }
    }
}
