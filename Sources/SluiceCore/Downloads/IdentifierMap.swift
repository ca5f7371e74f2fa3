/// Maps identifiers that only grow to rows: 4 bytes an identifier, no hashing.
///
/// Identifiers are given out here, from 1. Those since the oldest that lives stand one behind the other. What is over is
/// given back, so that a long session does not keep it: at the front, and behind few old ones that live on, which go to
/// a dictionary.
///
/// - Complexity: All operations are O(1), amortized.
struct IdentifierMap: Sendable {
    private static let none: Int32 = -1
    /// Places of identifiers that are over and may stay.
    private static let idleCount = 1_024

    private var rows: ContiguousArray<Int32> = []
    /// The identifier of `rows[0]`.
    private var base = 1
    private var firstLive = 0
    /// Identifiers in `rows` that are not over.
    private var liveCount = 0
    /// The rows of live identifiers before `base`.
    private var older: [Int: Int32] = [:]
    /// The identifier given out last.
    private(set) var last = 0

    /// Identifiers that take up room, those included that are over.
    var heldCount: Int { rows.count + older.count }

    /// Gives out the next identifier.
    mutating func add(_ row: Int32) -> Int {
        rows.append(row)
        liveCount += 1
        last += 1
        return last
    }

    subscript(identifier: Int) -> Int32? {
        guard identifier >= base else { return older.isEmpty ? nil : older[identifier] }
        guard identifier <= last, rows[identifier - base] != Self.none else { return nil }
        return rows[identifier - base]
    }

    mutating func forget(_ identifier: Int) {
        guard identifier >= base else { return forgetOlder(identifier) }
        guard identifier <= last, rows[identifier - base] != Self.none else { return }
        rows[identifier - base] = Self.none
        liveCount -= 1
        while firstLive < rows.count, rows[firstLive] == Self.none { firstLive += 1 }
        guard rows.count > Self.idleCount else { return }
        if firstLive * 2 > rows.count {
            leaveBehind(firstLive)
        } else if liveCount * 8 < rows.count {
            // An entry of a dictionary takes up as much as about eight places.
            leaveBehind(rows.count / 2)
        }
    }

    /// Gives places at the front back; those that live go on as older ones.
    private mutating func leaveBehind(_ placeCount: Int) {
        for place in firstLive..<placeCount where rows[place] != Self.none {
            older[base + place] = rows[place]
            liveCount -= 1
        }
        // A copy: an array that is cut short keeps its storage.
        rows = ContiguousArray(rows.dropFirst(placeCount))
        base += placeCount
        firstLive = 0
    }

    private mutating func forgetOlder(_ identifier: Int) {
        guard older.removeValue(forKey: identifier) != nil else { return }
        guard older.count * 4 < older.capacity, older.capacity > Self.idleCount else { return }
        var fewer: [Int: Int32] = [:]
        fewer.reserveCapacity(older.count)
        for (identifier, row) in older { fewer[identifier] = row }
        older = fewer
    }
}
