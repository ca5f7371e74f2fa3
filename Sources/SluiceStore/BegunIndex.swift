/// An index that was opened, and the session that began in it.
struct BegunIndex {
    let index: ResponseIndex
    let session: ResponseSession
    let lock: HeldLock
    /// Of all responses.
    let totals: (bytes: Int, count: Int)

    private init(in folder: ResponseFolder, isSuspect: Bool) throws(DatabaseError) {
        index = try ResponseIndex(path: folder.indexPath, isSuspect: isSuspect)
        (session, lock) = try index.beginSession(in: folder)
        totals = try index.totals()
    }

    /// Opens the index and begins a session; an index that shows damage by then is put aside.
    ///
    /// - Throws: If it can't be used.
    static func begin(in folder: ResponseFolder) throws(DatabaseError) -> BegunIndex {
        do throws(DatabaseError) {
            return try BegunIndex(in: folder, isSuspect: false)
        } catch {
            guard case .corrupt = error else { throw error }
        }
        // The damaged one is closed by now, before another gets its name.
        return try BegunIndex(in: folder, isSuspect: true)
    }
}
