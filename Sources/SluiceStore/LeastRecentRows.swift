import SluiceCore

/// What the index holds, the least recently used first, read a few rows at a time.
///
/// Looks at the index as it was when the rows at hand were read: who uses them says what went since.
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
    ///   - isGoing: Whether a row of the index is on its way out, and so is none to take.
    /// - Returns: `nil` behind the last one, and where the index can't be read.
    mutating func next(
        from index: ResponseIndex,
        now: Int64,
        except isGoing: (ResponseID) -> Bool
    ) -> ResponseIndex.Row? {
        if !page.isEmpty, !(read...read + Self.time).contains(now) { forget() }
        while page.isEmpty {
            read = now
            let rows: [ResponseIndex.Row]
            do throws(DatabaseError) {
                rows = try index.leastRecent(after: last.used, last.id, count: Self.pageLength)
            } catch {
                return nil
            }
            guard let row = rows.last else { return nil }
            last = (row.used, row.id)
            page = rows.filter { !isGoing(ResponseID($0.id)) }[...]
        }
        return page.popFirst()
    }

    /// Forgets a row that went since it was read, or goes: it would be told as evicted once more, and make no room.
    mutating func drop(_ id: ResponseID) {
        if page.isEmpty { return }
        page.removeAll { $0.id == id.rawValue }
    }

    /// Begins with the least recent one again, read anew: others may have changed all.
    mutating func forget() {
        page = []
        restart()
    }

    /// Begins with the least recent one again, once the rows at hand are taken.
    mutating func restart() { last = (.min, 0) }
}
