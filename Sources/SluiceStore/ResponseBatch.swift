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
        var written: [(StoredResponse, Int64, modified: Int64, used: Int64)] = []
        do throws(DatabaseError) {
            try makeRoom(jobs)
            written = write(jobs)
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
            for job in jobs {
                if case .add(let response, _, _, _) = job { lose(response, "\(error.message)") }
            }
        }
        return evicted
    }

    // MARK: Room

    private func makeRoom(_ jobs: [ResponseWriter.Job]) throws(DatabaseError) {
        var needed = 0
        var last: Int64 = 0
        var removes = false
        for job in jobs {
            switch job {
            case .add(let response, _, _, _):
                needed += response.size
                last = max(last, response.id.rawValue)
            case .remove, .expire: removes = true
            case .capacity(let size): (capacity, removes) = (size, true)
            case .update, .use: break
            }
        }
        let total = try index.totals().bytes
        let isFull = capacity > 0 && total + needed > capacity - Self.margin
        guard removes || isFull || last >= announced else { return }
        try index.database.transaction { () throws(DatabaseError) in
            if last >= announced { try announce(last) }
            for job in jobs {
                if case .remove(let id) = job { try remove(id.rawValue) }
                if case .expire(let time) = job { try expire(before: time) }
            }
            // This session's own choice was made where the responses were added; this is for what others add meanwhile.
            if capacity > 0 {
                try reserve(needed)
                try evict(downTo: max(0, capacity - (try index.reserved())))
            }
        }
        try index.database.transaction { () throws(DatabaseError) in try index.removeDoomed(folder) }
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

    private func write(_ jobs: [ResponseWriter.Job]) -> [(StoredResponse, Int64, modified: Int64, used: Int64)] {
        // What a later job of the same batch removes need not be written.
        var removed: Set<ResponseID> = []
        for job in jobs {
            if case .remove(let id) = job { removed.insert(id) }
        }
        var written: [(StoredResponse, Int64, modified: Int64, used: Int64)] = []
        for job in jobs {
            guard case .add(let response, let hash, let body, let used) = job else { continue }
            defer {
                if case .descriptor(let descriptor, _) = body { close(descriptor) }
            }
            if removed.contains(response.id) { continue }
            do throws(DownloadError) {
                let modified = try folder.write(body, as: response.id.rawValue)
                written.append((response, hash, modified, used))
            } catch {
                lose(response, error.message)
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

    private func lose(_ response: StoredResponse, _ cause: String) {
        let news = EvictedResponse(url: response.url, bytes: response.size, why: .cannotWrite(cause), usage: bytes)
        evicted.append((response.id, news))
    }
}
