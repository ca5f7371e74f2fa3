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
    private let index: ResponseIndex

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
        do throws(DatabaseError) { return try index.totals() } catch { throw DownloadError(.ioError, error.message) }
    }

    /// Calls `body` for every stored response, the most recently used first, until that wants no more.
    public func visit(_ body: (Entry) -> Bool) throws(DownloadError) {
        var wantsMore = true
        do throws(DatabaseError) {
            let sql = "SELECT id, url, head, size, used FROM response ORDER BY used DESC, id DESC"
            try index.database.query(sql) { row throws(DatabaseError) in
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

    /// Removes every stored response, with its body.
    ///
    /// - Returns: How many, and the bytes of their bodies.
    public func clear() throws(DownloadError) -> (bytes: Int, count: Int) {
        do throws(DatabaseError) {
            // What can't be rewritten below is overwritten at least.
            try index.database.query("PRAGMA secure_delete = ON") { _ in }
            let removed = try index.database.transaction { () throws(DatabaseError) in
                let totals = try index.totals()
                try index.database.run("DELETE FROM response")
                return totals
            }
            // Who uses the cache is not to make room in what is empty.
            folder.noteChange()
            try index.database.transaction { () throws(DatabaseError) in try index.removeDoomed(folder) }
            shrink()
            return removed
        } catch {
            throw DownloadError(.ioError, error.message)
        }
    }

    /// Gives the space of what went back, and leaves no copy of it in the index or its log.
    ///
    /// Where others write, or there is no room for a copy, the index keeps its size; while others read, SQLite keeps the
    /// log for them.
    private func shrink() {
        do throws(DatabaseError) { try index.database.run("VACUUM") } catch { _ = error }
        do throws(DatabaseError) {
            try index.database.query("PRAGMA wal_checkpoint(TRUNCATE)") { _ in }
        } catch { _ = error }
    }
}
