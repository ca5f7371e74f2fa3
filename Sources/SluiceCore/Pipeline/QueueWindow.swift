/// A range of queue positions that is on screen.
public struct QueueWindow: Equatable, Sendable {
    /// Position of the first row, from 1, among those that are shown.
    public var from: Int
    /// Rows. `0...1000`
    public var count: Int
    /// What rows match; an empty one matches all.
    public var filter: ListFilter
    /// Whether only rows that match are counted and shown.
    public var isNarrowed: Bool

    /// The rows from a position on; without a filter, of the whole queue.
    public init(from: Int, count: Int, filter: ListFilter = ListFilter(), isNarrowed: Bool = true) {
        (self.from, self.count, self.filter, self.isNarrowed) = (from, count, filter, isNarrowed)
    }

    /// The window with the nearest position and number of rows that are allowed.
    package var clamped: QueueWindow {
        QueueWindow(from: max(1, from), count: min(max(0, count), 1_000), filter: filter, isNarrowed: isNarrowed)
    }
}
