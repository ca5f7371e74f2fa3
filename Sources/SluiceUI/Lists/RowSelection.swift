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

    /// Rows are gone: what is next towards the other end takes the place of an end that is among them.
    ///
    /// Never beyond the other end, behind which nothing was selected.
    ///
    /// - Parameters:
    ///   - order: The rows of the list as they stood, as far as they are known.
    ///   - cursor: The row that the cursor stood on.
    ///   - isThere: Whether a row is in the list still.
    /// - Returns: `false` if nothing is left of a range, which is none then.
    mutating func slideRange(in order: [Int], cursor: Int?, isThere: (Int) -> Bool) -> Bool {
        guard let old = range, !isThere(old.anchor) || old.end.map(isThere) == false else { return true }
        range = nil
        guard let last = old.end ?? cursor, let from = order.firstIndex(of: old.anchor),
            let to = order.firstIndex(of: last)
        else { return false }
        let rows = Array(order[min(from, to)..<max(from, to) + 1])
        let left = (from <= to ? rows : rows.reversed()).filter(isThere)
        guard let anchor = left.first, let end = left.last else { return false }
        range = Range(
            anchor: anchor,
            anchorIndex: old.anchorIndex + (order.firstIndex(of: anchor) ?? from) - from,
            end: old.end == nil ? nil : end,
            endIndex: old.endIndex.map { $0 + (order.firstIndex(of: end) ?? to) - to }
        )
        return true
    }

    /// Rows moved: the range goes with the rows at its ends, where `index` tells where those stand now.
    mutating func followRange(_ index: (Int) -> Int?) {
        guard let old = range else { return }
        var endIndex = old.endIndex
        if let end = old.end, let found = index(end) { endIndex = found }
        range = Range(
            anchor: old.anchor,
            anchorIndex: index(old.anchor) ?? old.anchorIndex,
            end: old.end,
            endIndex: endIndex
        )
    }

    /// Where the rows of the range stand.
    func span(cursor: Int) -> ClosedRange<Int>? {
        guard let range else { return nil }
        let end = range.endIndex ?? cursor
        return min(range.anchorIndex, end)...max(range.anchorIndex, end)
    }

    /// - Parameters:
    ///   - row: Its own number.
    ///   - index: Where it stands.
    ///   - cursor: Where the cursor stands.
    /// - Returns: Whether it is selected.
    func contains(_ row: Int, index: Int, cursor: Int) -> Bool {
        if isAll || rows.contains(row) { return true }
        return span(cursor: cursor)?.contains(index) ?? false
    }

    /// How many rows are selected: the range and single rows together, each row once.
    ///
    /// - Parameters:
    ///   - shown: Where the rows of the list stand.
    ///   - known: Those places of which `row` can tell the row. Outside of them single rows count as apart from the
    ///     range.
    ///   - cursor: Where the cursor stands.
    ///   - row: The number of the row at a place.
    /// - Returns: All of `shown` where all are selected.
    func count(
        in shown: Swift.Range<Int>,
        known: Swift.Range<Int>,
        cursor: Int,
        row: (Int) -> Int?
    ) -> Int {
        if isAll { return shown.count }
        guard let span = span(cursor: cursor) else { return rows.count }
        // The list may have become shorter since the range began.
        let places = (span.lowerBound..<span.upperBound + 1).clamped(to: shown)
        guard !rows.isEmpty else { return places.count }
        var twice = 0
        for place in places.clamped(to: known) {
            if let number = row(place), rows.contains(number) { twice += 1 }
        }
        return min(shown.count, places.count + rows.count - twice)
    }
}
