/// Rows of a list that the next action is for.
///
/// A row is known by a number that stays its own: the task's, or that of an entry.
struct RowSelection: Equatable, Sendable {
    /// From one row to another; while no end was set, the cursor is the end.
    struct Range: Equatable, Sendable {
        let anchor: Int
        let anchorIndex: Int
        var end: Int?
        var endIndex: Int?
    }

    private(set) var rows: Set<Int> = []
    private(set) var range: Range?
    /// Every row that the filter lets through.
    private(set) var isAll = false

    var isEmpty: Bool { rows.isEmpty && range == nil && !isAll }
    /// Whether moving the cursor extends the range.
    var isExtending: Bool { range.map { $0.end == nil } ?? false }

    mutating func toggle(_ row: Int) {
        if rows.remove(row) == nil { rows.insert(row) }
    }

    mutating func add(_ more: some Sequence<Int>) { rows.formUnion(more) }

    mutating func startRange(at row: Int, index: Int) { range = Range(anchor: row, anchorIndex: index) }

    /// The range stays as it is, wherever the cursor goes.
    mutating func freezeRange(at row: Int, index: Int) {
        range?.end = row
        range?.endIndex = index
    }

    mutating func dropRange() { range = nil }

    mutating func selectAll() { (isAll, range) = (true, nil) }

    mutating func clear() { self = RowSelection() }

    /// Rows that are gone.
    mutating func forget(_ row: Int) {
        rows.remove(row)
        if range?.anchor == row || range?.end == row { range = nil }
    }

    mutating func keep(only present: Set<Int>) {
        rows.formIntersection(present)
        if let range, !present.contains(range.anchor) { self.range = nil }
    }

    /// - Parameters:
    ///   - row: Its own number.
    ///   - index: Where it stands.
    ///   - cursor: Where the cursor stands.
    /// - Returns: Whether it is selected.
    func contains(_ row: Int, index: Int, cursor: Int) -> Bool {
        if isAll || rows.contains(row) { return true }
        guard let range else { return false }
        let end = range.endIndex ?? cursor
        return (min(range.anchorIndex, end)...max(range.anchorIndex, end)).contains(index)
    }

    /// How many rows, of a list of `count`.
    func count(of count: Int, cursor: Int) -> Int {
        if isAll { return count }
        guard let range else { return rows.count }
        // The list may have become shorter since the range began.
        return min(count, max(rows.count, abs(range.anchorIndex - (range.endIndex ?? cursor)) + 1))
    }
}
