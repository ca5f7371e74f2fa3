internal import SluiceCore

/// The selected row of a short list, which stays on its row when rows move.
struct ListCursor<ID: Hashable & Sendable>: Sendable {
    /// `nil` before anything was selected: then the first row is.
    private(set) var id: ID?
    private(set) var index = 0
    /// The row that has it again whenever it is there.
    private(set) var awaited: ID?

    /// The list changed: finds the row again, or takes its neighbour.
    mutating func settle(_ rows: [ID]) {
        if let awaited, let found = rows.firstIndex(of: awaited) {
            (id, index) = (awaited, found)
            return
        }
        guard let id else {
            index = 0
            return
        }
        if let found = rows.firstIndex(of: id) {
            index = found
            return
        }
        index = min(index, max(0, rows.count - 1))
        self.id = rows.indices.contains(index) ? rows[index] : nil
    }

    mutating func select(_ index: Int, in rows: [ID]) {
        awaited = nil
        guard !rows.isEmpty else {
            (id, self.index) = (nil, 0)
            return
        }
        self.index = min(max(index, 0), rows.count - 1)
        id = rows[self.index]
    }

    /// Selects without an index, where rows are found by their id.
    mutating func pin(_ id: ID) { (self.id, awaited) = (id, nil) }

    /// Selects a row that moves, and that may be gone for a while.
    mutating func follow(_ id: ID) { (self.id, awaited) = (id, id) }

    /// Selects no row: the first one has it, whichever that is.
    mutating func release() { (id, index, awaited) = (nil, 0, nil) }

    /// The first visible row when `rows` fit.
    static func top(index: Int, count: Int, rows: Int) -> Int {
        max(0, min(index - rows / 2, count - rows))
    }
}
