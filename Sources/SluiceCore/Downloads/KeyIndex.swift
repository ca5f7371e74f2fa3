/// Finds the row of a live task by its merge key.
///
/// An open-addressing table of row numbers: the keys stay in the rows, so that an
/// entry costs 4 bytes at a load of at most one half, where a dictionary would
/// store each key again.
///
/// - Complexity: All operations are O(1), amortized.
struct KeyIndex: Sendable {
    private static let empty: Int32 = -1
    private var slots: ContiguousArray<Int32> = ContiguousArray(repeating: -1, count: 16)
    private(set) var count = 0

    /// - Returns: The row whose key equals `key`, or `nil`.
    func find(_ key: MergeKey, keyOf: (Int32) -> MergeKey) -> Int32? {
        var slot = home(of: key)
        while slots[slot] != Self.empty {
            if keyOf(slots[slot]) == key { return slots[slot] }
            slot = (slot + 1) & (slots.count - 1)
        }
        return nil
    }

    /// - Precondition: No row with this key is in the table.
    mutating func insert(_ row: Int32, key: MergeKey, keyOf: (Int32) -> MergeKey) {
        if (count + 1) * 2 > slots.count { grow(keyOf: keyOf) }
        place(row, home: home(of: key))
        count += 1
    }

    /// - Precondition: `row` is in the table under `key`.
    mutating func remove(_ row: Int32, key: MergeKey, keyOf: (Int32) -> MergeKey) {
        var slot = home(of: key)
        while slots[slot] != row {
            precondition(slots[slot] != Self.empty, "only a row that was inserted can be removed")
            slot = (slot + 1) & (slots.count - 1)
        }
        count -= 1
        // Backward shift: entries that were pushed past this slot move up, so that no tombstones are needed.
        var hole = slot
        var next = (hole + 1) & (slots.count - 1)
        while slots[next] != Self.empty {
            let wanted = home(of: keyOf(slots[next]))
            let distance = (next - wanted) & (slots.count - 1)
            if distance >= (next - hole) & (slots.count - 1) {
                slots[hole] = slots[next]
                hole = next
            }
            next = (next + 1) & (slots.count - 1)
        }
        slots[hole] = Self.empty
    }

    private func home(of key: MergeKey) -> Int { key.hashValue & (slots.count - 1) }

    private mutating func place(_ row: Int32, home: Int) {
        var slot = home
        while slots[slot] != Self.empty { slot = (slot + 1) & (slots.count - 1) }
        slots[slot] = row
    }

    private mutating func grow(keyOf: (Int32) -> MergeKey) {
        let rows = slots.filter { $0 != Self.empty }
        slots = ContiguousArray(repeating: Self.empty, count: slots.count * 2)
        for row in rows { place(row, home: home(of: keyOf(row))) }
    }
}
