import Glibc
import SluiceCore

/// Carries out a batch of the writer's jobs: removals first, then room, then bodies, then their entries.
///
/// In this order the limit holds at every moment, and a kill between any two steps leaves
/// only what the next session's start clears up. Confined to the writer's thread.
final class ResponseBatch {
    /// An addition whose body is on disk.
    private struct Written {
        let addition: ResponseAddition
        /// When its body was last modified, in nanoseconds since 1970.
        let modified: Int64

        /// Appends its row.
        func append(to values: inout [DatabaseValue]) {
            let response = addition.response
            values.append(.integer(response.id.rawValue))
            values.append(.integer(addition.hash))
            values.append(.text(response.url))
            values.append(.blob(ResponseCoding.encode(response)))
            values.append(.integer(Int64(response.size)))
            values.append(.integer(modified))
            values.append(.integer(addition.used))
        }
    }

    /// Room that must be left for writing without having said so first: other sessions may do the same.
    static let margin = 67_108_864
    /// What a batch may write without having said so.
    private static let mostUnsaid = margin / 8
    /// Entries of one statement.
    private static let rows = 16
    /// By name: a newer Sluice that is started meanwhile may add columns.
    private static let singleInsertion =
        "INSERT INTO response (id, hash, url, head, size, modified, used) VALUES (?, ?, ?, ?, ?, ?, ?)"
    private static let insertion = singleInsertion + String(repeating: ", (?, ?, ?, ?, ?, ?, ?)", count: rows - 1)

    private let folder: ResponseFolder
    private let index: ResponseIndex
    private let session: Int
    private var capacity: Int
    /// Whether other sessions write too, or did since this one began.
    private var hasOthers = false
    /// Of the index, before this session wrote to it.
    private let version: Int
    /// Whether the batch at hand took out of the index what other sessions stored, whose bodies are to go behind it.
    private var hasReplaced = false
    /// Identifiers below are announced as about to be written; 0 while that is not known.
    private(set) var announced: Int64 = 0
    private var reserved = 0
    private var evicted: [(id: ResponseID, news: EvictedResponse)] = []
    /// Removals, expiry and limit of batches that failed, for the next one; few, as each response is removed once.
    private var kept: [ResponseWriter.Job] = []
    /// Of all responses, after the last batch.
    private(set) var totals: (bytes: Int, count: Int)

    /// - Parameters:
    ///   - folder: Of the bodies.
    ///   - index: The writer's own.
    ///   - session: This one.
    ///   - capacity: Bytes of all bodies; 0 means no limit.
    /// - Throws: If the index can't be read.
    init(
        _ folder: ResponseFolder,
        _ index: ResponseIndex,
        _ session: ResponseSession,
        capacity: Int
    ) throws(DatabaseError) {
        (self.folder, self.index, self.session, self.capacity) = (folder, index, session.id, capacity)
        version = try index.dataVersion()
        // Since the session began, and not only now: the loop did not look again for what others stored meanwhile.
        hasOthers = try index.hasOthers(since: session)
        totals = try index.totals()
    }

    /// What is still in the index, since it could not be removed.
    var unremoved: Set<ResponseID> {
        var found: Set<ResponseID> = []
        for case .remove(let id) in kept { found.insert(id) }
        return found
    }

    /// Does what earlier batches left, and then the jobs.
    ///
    /// - Returns: What went without having been asked for.
    func perform(_ new: [ResponseWriter.Job]) -> [(id: ResponseID, news: EvictedResponse)] {
        evicted = []
        let jobs = kept.isEmpty ? new : kept + new
        var written: [Written] = []
        // How much of it holds, whatever fails behind it; `nil` while the removals don't.
        var certain: Int?
        do throws(DatabaseError) {
            let room = try makeRoom(jobs)
            certain = evicted.count
            kept = []
            if room.leavesBodies { try removeDoomed() }
            written = write(jobs, room.without)
            try index.database.transaction { () throws(DatabaseError) in
                try lookForOthers()
                try enter(written)
                for job in jobs { try enter(job) }
                try index.count(added: written.count, bytes: written.reduce(0) { $0 + $1.addition.response.size })
                if let last = written.last { try settle(last.addition.settled) }
                try reserve(0)
                // Others may have said nothing of what they wrote meanwhile.
                if capacity > 0, try index.totals().bytes > capacity {
                    try evict(downTo: capacity)
                    hasReplaced = true
                }
                totals = try index.totals()
            }
        } catch {
            // None of the batch is in the index, so none of it may stay on disk.
            for case .add(let addition) in jobs { folder.remove(addition.id.rawValue) }
            if certain == nil { keepRemovals(of: jobs, error) }
            readTotals()
            evicted.removeSubrange((certain ?? 0)...)
            let lost = Set(evicted.map(\.id))
            for job in jobs {
                guard case .add(let addition) = job, !lost.contains(addition.id) else { continue }
                lose(addition.response, .cannotWrite(error.message))
            }
            // What the index holds of these is not known: both are said again with the next batch.
            (announced, reserved) = (0, -1)
        }
        if hasReplaced { removeReplaced() }
        return evicted
    }

    /// Lets go of what is left to do, as there is no next batch.
    func giveUp() {
        removeBodies(of: kept)
        kept = []
    }

    /// Keeps what a batch was to remove: what is invalid would answer again.
    ///
    /// What will not pass is not tried again, lest no later batch succeeds either.
    private func keepRemovals(of jobs: [ResponseWriter.Job], _ error: DatabaseError) {
        kept = []
        guard error.mayPass else {
            removeBodies(of: jobs)
            return
        }
        var added: Set<ResponseID> = []
        for job in jobs {
            switch job {
            case .add(let addition): added.insert(addition.id)
            // What the same batch was to add is nowhere.
            case .remove(let id) where added.contains(id): break
            case .remove, .expire, .capacity: kept.append(job)
            case .update, .use: break
            }
        }
    }

    /// Removes the bodies of entries that can't be removed, which answer nothing without them.
    private func removeBodies(of jobs: [ResponseWriter.Job]) {
        for case .remove(let id) in jobs { folder.remove(id.rawValue) }
    }

    /// An index that can't be read tells nothing new.
    private func readTotals() {
        do throws(DatabaseError) { totals = try index.totals() } catch { _ = error }
    }

    /// Removes the bodies of what was replaced; where that fails, the next session's start does it.
    private func removeReplaced() {
        hasReplaced = false
        do throws(DatabaseError) { try removeDoomed() } catch { _ = error }
    }

    private func removeDoomed() throws(DatabaseError) {
        try index.database.transaction { () throws(DatabaseError) in try index.removeDoomed(folder) }
    }

    // MARK: Room

    /// Makes room for what the jobs add.
    ///
    /// - Returns: What need not be written, or has no room since other sessions have taken it; and whether there may be
    ///   bodies left of what went.
    private func makeRoom(
        _ jobs: [ResponseWriter.Job]
    ) throws(DatabaseError) -> (without: Set<ResponseID>, leavesBodies: Bool) {
        var added: [ResponseAddition] = []
        var last: Int64 = 0
        var removed: Set<ResponseID> = []
        var mustRemove = false
        for job in jobs {
            switch job {
            case .add(let addition):
                added.append(addition)
                last = max(last, addition.id.rawValue)
            case .remove(let id): removed.insert(id)
            case .expire: mustRemove = true
            case .capacity(let size): (capacity, mustRemove) = (size, true)
            case .update, .use: break
            }
        }
        // What a later job of the same batch removes need not be written.
        if !removed.isEmpty { added.removeAll { removed.contains($0.id) } }
        let needed = added.reduce(0) { $0 + $1.response.size }
        let total = try index.totals().bytes
        let said = try index.reserved(beside: session)
        let isFull = capacity > 0 && (needed > Self.mostUnsaid || total + said + needed > capacity - Self.margin)
        // Well ahead, since the loop gives bodies their names before the batch of their entries.
        let mustAnnounce = last > 0 && last + ResponseIndex.announced / 2 >= announced
        guard mustRemove || !removed.isEmpty || isFull || mustAnnounce else { return (removed, false) }
        let crowdedOut = try index.database.transaction { () throws(DatabaseError) in
            if mustAnnounce { try announce(last) }
            for job in jobs {
                if case .remove(let id) = job { try index.remove(id.rawValue) }
                if case .expire(let time) = job { try expire(before: time) }
            }
            // This session's own choice was made where the responses were added; this is for what others add meanwhile.
            return capacity > 0 ? try takeRoom(for: added, needed) : []
        }
        return (removed.union(crowdedOut), true)
    }

    /// Takes the room that other sessions leave, by removing what is there if need be.
    ///
    /// - Returns: The first of those to be added, as many as find no room.
    private func takeRoom(for added: [ResponseAddition], _ count: Int) throws(DatabaseError) -> Set<ResponseID> {
        try index.releaseDead(beside: session, in: folder)
        let room = max(0, capacity - (try index.reserved(beside: session)))
        var needed = count
        var crowdedOut: Set<ResponseID> = []
        for addition in added where needed > room {
            needed -= addition.response.size
            crowdedOut.insert(addition.id)
            lose(addition.response, .leastRecent)
        }
        try reserve(needed)
        try evict(downTo: room - needed)
        return crowdedOut
    }

    private func announce(_ last: Int64) throws(DatabaseError) {
        announced = last + ResponseIndex.announced
        try index.database.run(
            "UPDATE session SET upto = ? WHERE id = ?",
            .integer(announced),
            .integer(Int64(session))
        )
    }

    /// Says what is about to be written, so that other sessions leave room for it.
    private func reserve(_ count: Int) throws(DatabaseError) {
        guard count != reserved else { return }
        reserved = count
        try index.database.run(
            "UPDATE session SET reserved = ? WHERE id = ?",
            .integer(Int64(count)),
            .integer(Int64(session))
        )
    }

    /// Says that bodies below some identifier have their entries, or none.
    private func settle(_ first: Int64) throws(DatabaseError) {
        try index.database.run(
            "UPDATE session SET settled = ? WHERE id = ?",
            .integer(first),
            .integer(Int64(session))
        )
    }

    private func expire(before time: Int64) throws(DatabaseError) {
        while true {
            let old = try index.leastRecent(after: .min, 0, count: 256).filter { $0.used < time }
            if old.isEmpty { return }
            for row in old { try evict(row, .unused) }
        }
    }

    private func evict(downTo limit: Int) throws(DatabaseError) {
        var total = try index.totals().bytes
        while total > limit {
            let rows = try index.leastRecent(after: .min, 0, count: 64)
            if rows.isEmpty { return }
            for row in rows where total > limit {
                try evict(row, .leastRecent)
                total -= row.size
            }
        }
    }

    private func evict(_ row: ResponseIndex.Row, _ why: HTTPCacheWhy) throws(DatabaseError) {
        try index.remove(row.id)
        evicted.append((ResponseID(row.id), EvictedResponse(url: row.url, bytes: row.size, why: why)))
    }

    // MARK: Bodies and entries

    private func write(_ jobs: [ResponseWriter.Job], _ without: Set<ResponseID>) -> [Written] {
        var written: [Written] = []
        written.reserveCapacity(jobs.count)
        for case .add(let addition) in jobs {
            if without.contains(addition.id) {
                if addition.place.hasName { folder.remove(addition.id.rawValue) }
                continue
            }
            do throws(DownloadError) {
                let modified = try folder.write(addition.body, as: addition.id.rawValue, addition.place)
                written.append(Written(addition: addition, modified: modified))
            } catch {
                lose(addition.response, .cannotWrite(error.message))
            }
        }
        return written
    }

    private func enter(_ written: [Written]) throws(DatabaseError) {
        guard hasOthers else {
            try insert(written[...])
            return
        }
        var late: Set<ResponseID> = []
        for index in written.indices {
            if try !removeOthers(like: written[index].addition) { late.insert(written[index].addition.id) }
            try insert(written[index...index])
        }
        for id in late { try index.remove(id.rawValue) }
        if !late.isEmpty { hasReplaced = true }
    }

    /// Enters many by one statement, as long as there are so many: half of what an entry costs is the statement.
    private func insert(_ written: ArraySlice<Written>) throws(DatabaseError) {
        var rest = written
        while !rest.isEmpty {
            let isFull = rest.count >= Self.rows
            let part = rest.prefix(isFull ? Self.rows : 1)
            var values: [DatabaseValue] = []
            values.reserveCapacity(part.count * 7)
            for entry in part { entry.append(to: &values) }
            try index.database.run(isFull ? Self.insertion : Self.singleInsertion, values)
            rest = rest.dropFirst(part.count)
        }
    }

    /// Once another session was there, what it stores may be what this one stores.
    private func lookForOthers() throws(DatabaseError) {
        if hasOthers { return }
        hasOthers = try index.dataVersion() != version
    }

    /// Removes what a session beside this one stored of the same answer meanwhile, if this one is newer.
    ///
    /// - Returns: `false` if the other one is.
    /// - SeeAlso: RFC 9111 §4: the most recent response is used.
    private func removeOthers(like addition: ResponseAddition) throws(DatabaseError) -> Bool {
        var isNewest = true
        for (other, _) in try index.responses(for: addition.response.url, hash: addition.hash)
        where other.id != addition.id && other.isReplaced(by: addition.response) {
            if other.responseTime > addition.response.responseTime {
                isNewest = false
            } else {
                try index.remove(other.id.rawValue)
                hasReplaced = true
            }
        }
        return isNewest
    }

    /// Changes an entry; one that the same batch adds is there by then.
    private func enter(_ job: ResponseWriter.Job) throws(DatabaseError) {
        switch job {
        case .update(let response):
            try index.database.run(
                "UPDATE response SET head = ? WHERE id = ?",
                .blob(ResponseCoding.encode(response)),
                .integer(response.id.rawValue)
            )
        case .use(let id, let time):
            try index.database.run(
                "UPDATE response SET used = max(used, ?) WHERE id = ?",
                .integer(time),
                .integer(id.rawValue)
            )
        case .add, .remove, .capacity, .expire: break
        }
    }

    /// Reports one that was to be added and is not.
    private func lose(_ response: StoredResponse, _ why: HTTPCacheWhy) {
        evicted.append((response.id, EvictedResponse(url: response.url, bytes: response.size, why: why)))
    }
}
