/// Finds the row of a live task by its merge key.
///
/// An open-addressing table of row numbers: the keys stay in the rows, where a
/// dictionary would store each again. An entry is 8 bytes at a load of at most one
/// half. It keeps the key's hash, so that growing touches no row: hashing 65,000 keys
/// anew would hold up everything else for many frames. It shrinks again behind a peak.
///
/// - Complexity: All operations are O(1), amortized.
struct KeyIndex: Sendable {
    private struct Slot: Sendable {
        static let empty = Slot(row: -1, hash: 0)
        let row: Int32
        let hash: UInt32

        var isEmpty: Bool { row < 0 }
    }

    /// Entries for which there is always room.
    private static let idleCapacity = 512

    private var slots: ContiguousArray<Slot> = ContiguousArray(repeating: .empty, count: 16)
    private(set) var count = 0

    /// Entries for which there is room now.
    var capacity: Int { slots.count / 2 }

    /// - Returns: The row whose key equals `key`, or `nil`.
    func find(_ key: MergeKey, keyOf: (Int32) -> MergeKey) -> Int32? {
        let hash = Self.hash(of: key)
        var slot = home(of: hash)
        while !slots[slot].isEmpty {
            if slots[slot].hash == hash, keyOf(slots[slot].row) == key { return slots[slot].row }
            slot = (slot + 1) & (slots.count - 1)
        }
        return nil
    }

    /// - Precondition: No row with this key is in the table.
    mutating func insert(_ row: Int32, key: MergeKey) {
        if count == capacity { resize(to: slots.count * 2) }
        place(Slot(row: row, hash: Self.hash(of: key)))
        count += 1
    }

    /// - Precondition: `row` is in the table under `key`.
    mutating func remove(_ row: Int32, key: MergeKey) {
        var slot = home(of: Self.hash(of: key))
        while slots[slot].row != row {
            precondition(!slots[slot].isEmpty, "only a row that was inserted can be removed")
            slot = (slot + 1) & (slots.count - 1)
        }
        count -= 1
        // Backward shift: entries that were pushed past this slot move up, so that no tombstones are needed.
        var hole = slot
        var next = (hole + 1) & (slots.count - 1)
        while !slots[next].isEmpty {
            let distance = (next - home(of: slots[next].hash)) & (slots.count - 1)
            if distance >= (next - hole) & (slots.count - 1) {
                slots[hole] = slots[next]
                hole = next
            }
            next = (next + 1) & (slots.count - 1)
        }
        slots[hole] = .empty
        // By half only: half full then, it is far from its next change.
        if count * 4 < capacity, capacity > Self.idleCapacity { resize(to: slots.count / 2) }
    }

    private static func hash(of key: MergeKey) -> UInt32 { UInt32(truncatingIfNeeded: key.hash) }

    private func home(of hash: UInt32) -> Int { Int(hash) & (slots.count - 1) }

    private mutating func place(_ entry: Slot) {
        var slot = home(of: entry.hash)
        while !slots[slot].isEmpty { slot = (slot + 1) & (slots.count - 1) }
        slots[slot] = entry
    }

    private mutating func resize(to slotCount: Int) {
        let entries = slots.filter { !$0.isEmpty }
        slots = ContiguousArray(repeating: .empty, count: slotCount)
        for entry in entries { place(entry) }
    }
}
