/// What the index holds, the least recently used first, read a few rows at a time.
///
/// Looks at the index as it was when the rows at hand were read: who uses them checks what became of each since.
struct LeastRecentRows {
    private static let pageLength = 64
    /// For how long rows at hand are good, in milliseconds: of older ones it is not known what was used since.
    private static let time: Int64 = 30_000

    private var page: ArraySlice<ResponseIndex.Row> = []
    /// When they were read, in milliseconds since 1970.
    private var read: Int64 = 0
    private var last: (used: Int64, id: Int64) = (.min, 0)

    /// Takes the next row.
    ///
    /// - Parameters:
    ///   - index: Is read.
    ///   - now: In milliseconds since 1970.
    /// - Returns: `nil` behind the last one, and where the index can't be read.
    mutating func next(from index: ResponseIndex, now: Int64) -> ResponseIndex.Row? {
        if !page.isEmpty, !(read...read + Self.time).contains(now) { forget() }
        if page.isEmpty {
            read = now
            do throws(DatabaseError) {
                page = try index.leastRecent(after: last.used, last.id, count: Self.pageLength)[...]
            } catch {
                return nil
            }
            if let row = page.last { last = (row.used, row.id) }
        }
        return page.popFirst()
    }

    /// Begins with the least recent one again, read anew: others may have changed all.
    mutating func forget() {
        page = []
        restart()
    }

    /// Begins with the least recent one again, once the rows at hand are taken.
    mutating func restart() { last = (.min, 0) }
}
