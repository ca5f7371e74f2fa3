/// Maps identifiers that only grow to rows: 4 bytes an identifier, no hashing.
///
/// Identifiers are given out here, from 1. The front of the map is dropped once
/// all of it is forgotten, so that a long session does not keep what is over.
struct IdentifierMap: Sendable {
    private static let none: Int32 = -1
    private var rows: ContiguousArray<Int32> = []
    /// The identifier of `rows[0]`.
    private var base = 1
    private var firstLive = 0
    /// The identifier given out last.
    private(set) var last = 0

    /// Gives out the next identifier.
    mutating func add(_ row: Int32) -> Int {
        rows.append(row)
        last += 1
        return last
    }

    subscript(identifier: Int) -> Int32? {
        guard identifier >= base, identifier <= last, rows[identifier - base] != Self.none else { return nil }
        return rows[identifier - base]
    }

    mutating func forget(_ identifier: Int) {
        guard identifier >= base, identifier <= last else { return }
        rows[identifier - base] = Self.none
        while firstLive < rows.count, rows[firstLive] == Self.none { firstLive += 1 }
        guard firstLive > 1024, firstLive * 2 > rows.count else { return }
        rows.removeFirst(firstLive)
        base += firstLive
        firstLive = 0
    }
}
