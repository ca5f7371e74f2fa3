import Glibc
import SluiceCore

/// Carries out a batch of the writer's jobs: removals first, then room, then bodies, then their entries.
///
/// In this order the limit holds at every moment, and a kill between any two steps leaves
/// only what the next session's start clears up. Confined to the writer's thread.
final class ResponseBatch {
    /// Room that must be left for writing without having said so first: other sessions may do the same.
    private static let margin = 67_108_864

    private let folder: ResponseFolder
    private let index: ResponseIndex
    private let session: Int
    private var capacity: Int
    /// Identifiers below are announced as about to be written.
    private var announced: Int64 = 0
    private var reserved = 0
    private var evicted: [(id: ResponseID, news: EvictedResponse)] = []
    /// Of all responses, after the last batch.
    private(set) var bytes = 0
    private(set) var count = 0

    init(_ folder: ResponseFolder, _ index: ResponseIndex, _ session: Int, capacity: Int) {
        (self.folder, self.index, self.session, self.capacity) = (folder, index, session, capacity)
    }

    /// - Returns: What went without having been asked for.
    func perform(_ jobs: [ResponseWriter.Job]) -> [(id: ResponseID, news: EvictedResponse)] {
        evicted = []
        defer {
            for job in jobs {
                if case .add(_, _, .descriptor(let descriptor, _), _) = job { close(descriptor) }
            }
        }
        var written: [(StoredResponse, Int64, modified: Int64, used: Int64)] = []
        do throws(DatabaseError) {
            let without = try makeRoom(jobs)
            written = write(jobs, without)
            try index.database.transaction { () throws(DatabaseError) in
                for job in jobs { try enter(job, written) }
                try index.count(added: written.count, bytes: written.reduce(0) { $0 + $1.0.size })
                if let last = written.map(\.0.id.rawValue).max() { try settle(last) }
                try reserve(0)
                (bytes, count) = try index.totals()
            }
        } catch {
            // None of the batch is in the index, so none of it may stay on disk.
            for entry in written { folder.remove(entry.0.id.rawValue) }
            let lost = Set(evicted.map(\.id))
            for job in jobs {
                guard case .add(let response, _, _, _) = job, !lost.contains(response.id) else { continue }
                lose(response, .cannotWrite(error.message))
            }
            // What the index holds of these is not known: both are said again with the next batch.
            (announced, reserved) = (0, -1)
        }
        return evicted
    }

    // MARK: Room

    /// Makes room for what the jobs add.
    ///
    /// - Returns: What has no room, since other sessions have taken it.
    private func makeRoom(_ jobs: [ResponseWriter.Job]) throws(DatabaseError) -> Set<ResponseID> {
        var added: [StoredResponse] = []
        var last: Int64 = 0
        var removed: Set<ResponseID> = []
        var mustRemove = false
        for job in jobs {
            switch job {
            case .add(let response, _, _, _):
                added.append(response)
                last = max(last, response.id.rawValue)
            case .remove(let id): removed.insert(id)
            case .expire: mustRemove = true
            case .capacity(let size): (capacity, mustRemove) = (size, true)
            case .update, .use: break
            }
        }
        // What a later job of the same batch removes need not be written.
        added.removeAll { removed.contains($0.id) }
        let needed = added.reduce(0) { $0 + $1.size }
        let total = try index.totals().bytes
        let isFull = capacity > 0 && total + needed > capacity - Self.margin
        guard mustRemove || !removed.isEmpty || isFull || last >= announced else { return removed }
        let crowdedOut = try index.database.transaction { () throws(DatabaseError) in
            if last >= announced { try announce(last) }
            for job in jobs {
                if case .remove(let id) = job { try remove(id.rawValue) }
                if case .expire(let time) = job { try expire(before: time) }
            }
            // This session's own choice was made where the responses were added; this is for what others add meanwhile.
            return capacity > 0 ? try takeRoom(for: added, needed) : []
        }
        try index.database.transaction { () throws(DatabaseError) in try index.removeDoomed(folder) }
        return removed.union(crowdedOut)
    }

    /// Takes the room that other sessions leave, by removing what is there if need be.
    ///
    /// - Returns: The first of those to be added, as many as find no room.
    private func takeRoom(for added: [StoredResponse], _ count: Int) throws(DatabaseError) -> Set<ResponseID> {
        let room = max(0, capacity - (try index.reserved(beside: session)))
        var needed = count
        var crowdedOut: Set<ResponseID> = []
        for response in added where needed > room {
            needed -= response.size
            crowdedOut.insert(response.id)
            lose(response, .leastRecent)
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

    private func settle(_ last: Int64) throws(DatabaseError) {
        try index.database.run(
            "UPDATE session SET settled = ? WHERE id = ?",
            .integer(last + 1),
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
        try remove(row.id)
        let usage = try index.totals().bytes
        evicted.append(
            (ResponseID(row.id), EvictedResponse(url: row.url, bytes: row.size, why: why, usage: usage))
        )
    }

    private func remove(_ id: Int64) throws(DatabaseError) {
        try index.database.run("DELETE FROM response WHERE id = ?", .integer(id))
    }

    // MARK: Bodies and entries

    private func write(
        _ jobs: [ResponseWriter.Job],
        _ without: Set<ResponseID>
    ) -> [(StoredResponse, Int64, modified: Int64, used: Int64)] {
        var written: [(StoredResponse, Int64, modified: Int64, used: Int64)] = []
        for job in jobs {
            guard case .add(let response, let hash, let body, let used) = job else { continue }
            if without.contains(response.id) { continue }
            do throws(DownloadError) {
                let modified = try folder.write(body, as: response.id.rawValue)
                written.append((response, hash, modified, used))
            } catch {
                lose(response, .cannotWrite(error.message))
            }
        }
        return written
    }

    private func enter(
        _ job: ResponseWriter.Job,
        _ written: [(StoredResponse, Int64, modified: Int64, used: Int64)]
    ) throws(DatabaseError) {
        switch job {
        case .add(let response, let hash, _, let used):
            guard let entry = find(response.id, in: written) else { return }
            try index.database.run(
                "INSERT INTO response VALUES (?, ?, ?, ?, ?, ?, ?)",
                .integer(response.id.rawValue),
                .integer(hash),
                .text(response.url),
                .blob(ResponseCoding.encode(response)),
                .integer(Int64(response.size)),
                .integer(entry),
                .integer(used)
            )
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
        case .remove, .capacity, .expire: break
        }
    }

    /// The identifiers grow with the order of the jobs.
    private func find(
        _ id: ResponseID,
        in written: [(StoredResponse, Int64, modified: Int64, used: Int64)]
    ) -> Int64? {
        var (low, high) = (0, written.count)
        while low < high {
            let middle = (low + high) / 2
            if written[middle].0.id < id { low = middle + 1 } else { high = middle }
        }
        return low < written.count && written[low].0.id == id ? written[low].modified : nil
    }

    /// Reports one that was to be added and is not.
    private func lose(_ response: StoredResponse, _ why: HTTPCacheWhy) {
        evicted.append(
            (response.id, EvictedResponse(url: response.url, bytes: response.size, why: why, usage: bytes))
        )
    }
}
