/// The tasks that the user paused, in an order that does not depend on when that was.
///
/// - Complexity: Every operation costs O(log n), amortized, and O(log² n) to insert among others.
struct PausedRows: Sendable {
    private var rows = RowForest(trees: 1)

    var count: Int { rows.count(inTree: 0) }

    /// Does nothing if the row is there.
    ///
    /// - Parameters:
    ///   - row: Of a task.
    ///   - isBefore: Whether one row stands before another.
    mutating func insert(_ row: Int32, isBefore: (Int32, Int32) -> Bool) {
        if !rows.contains(row) { rows.attach(row, tree: 0, isBefore: isBefore) }
    }

    mutating func remove(_ row: Int32) {
        if rows.contains(row) { rows.detach(row) }
    }

    /// Gives back the storage of rows that are no more, none of which is here.
    mutating func keepRows(below rowCount: Int) { rows.keepRows(below: rowCount) }

    /// - Complexity: O(log n) for each.
    func first(_ count: Int) -> [Int32] {
        var found: [Int32] = []
        var next = rows.first(inTree: 0)
        while let row = next, found.count < count {
            found.append(row)
            next = rows.row(after: row).row
        }
        return found
    }
}
