internal import Glibc
public import SluiceCore

/// Looks at and clears the HTTP cache from outside a session, while others may use it.
///
/// Confined to one thread. It makes no session of its own, and stores nothing.
public final class ResponseCatalog {
    /// A stored response as a list shows it.
    public struct Entry: Sendable {
        /// Without its body.
        public let response: StoredResponse
        /// In milliseconds since 1970.
        public let used: Int64
    }

    private let folder: ResponseFolder
    /// `nil` where a damaged one was put aside, and no other could be opened.
    private var index: ResponseIndex?

    /// Opens the cache.
    ///
    /// - Parameter directory: Of the cache; made if missing.
    /// - Throws: `ioError` if it can't be used.
    public init(directory: String) throws(DownloadError) {
        folder = try ResponseFolder(directory)
        do throws(DatabaseError) {
            index = try ResponseIndex(path: folder.indexPath)
        } catch {
            throw DownloadError(.ioError, error.message)
        }
    }

    /// Bytes of all bodies, and how many there are.
    public func totals() throws(DownloadError) -> (bytes: Int, count: Int) {
        do throws(DatabaseError) { return try opened().totals() } catch { throw DownloadError(.ioError, error.message) }
    }

    /// Calls `body` for every stored response, the most recently used first, until that wants no more.
    public func visit(_ body: (Entry) -> Bool) throws(DownloadError) {
        var wantsMore = true
        do throws(DatabaseError) {
            let sql = "SELECT id, url, head, size, used FROM response ORDER BY used DESC, id DESC"
            try opened().database.query(sql) { row throws(DatabaseError) in
                guard wantsMore else { return }
                let id = ResponseID(Int64(row.integer(0)))
                let url = row.text(1) ?? ""
                guard let response = ResponseCoding.decode(row.blob(2), id: id, url: url, size: row.integer(3)) else {
                    return
                }
                wantsMore = body(Entry(response: response, used: Int64(row.integer(4))))
            }
        } catch {
            throw DownloadError(.ioError, error.message)
        }
    }

    /// Removes every stored response, with its body, also where the index is damaged, and what was put aside of one.
    ///
    /// - Returns: How many, and the bytes of their bodies.
    public func clear() throws(DownloadError) -> (bytes: Int, count: Int) {
        do throws(DatabaseError) {
            let removed = try emptyOrPutAside()
            shrink()
            // It names what was asked for, and is of no use to a cache.
            unsafe unlink(folder.indexPath + ".damaged")
            return removed
        } catch {
            throw DownloadError(.ioError, error.message)
        }
    }

    private func emptyOrPutAside() throws(DatabaseError) -> (bytes: Int, count: Int) {
        do throws(DatabaseError) {
            return try empty(opened())
        } catch {
            guard case .corrupt = error else { throw error }
        }
        // It is closed before another gets its name.
        index = nil
        return try empty(opened(isSuspect: true))
    }

    private func empty(_ index: ResponseIndex) throws(DatabaseError) -> (bytes: Int, count: Int) {
        // What can't be rewritten later is overwritten at least.
        try index.database.query("PRAGMA secure_delete = ON") { _ in }
        let removed = try index.database.transaction { () throws(DatabaseError) -> (bytes: Int, count: Int) in
            let left = try index.removeLeftBodies(in: folder)
            let totals = try index.totals()
            try index.database.run("DELETE FROM response")
            return (totals.bytes + left.bytes, totals.count + left.count)
        }
        // Who uses the cache is not to make room in what is empty.
        folder.noteChange()
        try index.database.transaction { () throws(DatabaseError) in try index.removeDoomed(folder) }
        return removed
    }

    /// The index, opened if it is not.
    private func opened(isSuspect: Bool = false) throws(DatabaseError) -> ResponseIndex {
        if let index { return index }
        let opened = try ResponseIndex(path: folder.indexPath, isSuspect: isSuspect)
        index = opened
        return opened
    }

    /// Gives the space of what went back, and leaves no copy of it in the index or its log.
    ///
    /// Where others write, or there is no room for a copy, the index keeps its size; while others read, SQLite keeps the
    /// log for them.
    private func shrink() {
        do throws(DatabaseError) {
            let database = try opened().database
            do throws(DatabaseError) { try database.run("VACUUM") } catch { _ = error }
            try database.query("PRAGMA wal_checkpoint(TRUNCATE)") { _ in }
        } catch { _ = error }
    }
}
