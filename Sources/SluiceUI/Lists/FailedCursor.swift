internal import SluiceCore

/// The selected row of what failed, which goes back to a URL that fails again: then it is another row.
struct FailedCursor: Sendable {
    private var cursor = ListCursor<FailedRow.ID>()
    /// What has it again if it fails again, after all that failed was tried again.
    private var awaited: String?

    /// `nil` before anything was selected: then the first row is.
    var id: FailedRow.ID? { cursor.id }
    var index: Int { cursor.index }
    /// Whether it is to find a row, and not to take whichever is the first.
    var isChosen: Bool { id != nil || awaited != nil }

    /// The list changed: finds the row again, or takes its neighbour.
    mutating func settle(_ rows: [FailedRow.ID]) {
        if let awaited, let index = rows.firstIndex(where: { $0.url == awaited }) {
            cursor.select(index, in: rows)
        } else {
            cursor.settle(rows)
        }
    }

    /// Whoever moves it has it: nothing is awaited any more.
    mutating func select(_ index: Int, in rows: [FailedRow.ID]) {
        awaited = nil
        cursor.select(index, in: rows)
    }

    /// Waits for a URL that is tried again; `nil` for none.
    mutating func wait(for url: String?) { awaited = url }
}
