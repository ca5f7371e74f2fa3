/// The order in which queued tasks get slots: rows of the scheduler's slab, by priority and place.
///
/// Every operation, and finding a row's position or the row at a position, costs
/// O(log n), amortized, so that a million rows are fine. It knows nothing of tasks but their
/// row numbers. A row can be held back: it keeps its position, and others go first.
///
/// One tree of a ``RowForest`` for each level. A promoted row stands on a level of its
/// own above all priorities.
public struct TaskQueue: Sendable {
    /// The levels, first one first.
    public enum Band: Int, CaseIterable, Sendable {
        /// Moved before all others by the user, or held a slot in an earlier session.
        case promoted
        case high
        case normal
        case low
        /// Only prefetches: last, so that their share of the slots holds up nobody.
        case prefetch

        /// The level of what nobody promoted and is no prefetch.
        public init(_ priority: Priority) {
            switch priority {
            case .high: self = .high
            case .normal: self = .normal
            case .low: self = .low
            }
        }
    }

    private static let levels = 0..<5

    private(set) var forest = RowForest(trees: levels.count)
    /// Grows with every change of what is queued, or of its order.
    public private(set) var version: UInt64 = 0

    /// Holds nothing.
    public init() {}

    /// Queued rows.
    public var count: Int { Self.levels.reduce(0) { $0 + count(atLevel: $1) } }

    /// The level on which a row is queued.
    public func band(of row: Int32) -> Band? { contains(row) ? Band(rawValue: forest.place(of: row).tree) : nil }

    /// Whether a row is queued; any may be asked for.
    ///
    /// - Complexity: O(1)
    public func contains(_ row: Int32) -> Bool {
        forest.contains(row)
    }

    /// The first row of all, held back or not.
    public var first: Int32? {
        for level in Self.levels { if let first = forest.first(inTree: level) { return first } }
        return nil
    }

    /// The first row that is not held back: it gets the next slot.
    public var firstReady: Int32? {
        for level in Self.levels { if let first = forest.firstReady(inTree: level) { return first } }
        return nil
    }

    /// Holds a row back at its position, or lets it go; inserting and moving a row let it go.
    ///
    /// - Complexity: O(log n)
    public mutating func setReady(_ row: Int32, _ isReady: Bool) { forest.setReady(row, isReady) }

    /// Adds a row at one end of a level.
    ///
    /// - Parameters:
    ///   - row: Not queued yet. `0...`
    ///   - band: Its level; need not be that of a priority.
    ///   - atFront: Whether it goes before those of its level, not behind them.
    /// - Precondition: `row` is not queued.
    /// - Complexity: O(log n)
    public mutating func insert(_ row: Int32, band: Band, atFront: Bool) {
        version += 1
        forest.attach(row, tree: band.rawValue, place: atFront ? 0 : count(atLevel: band.rawValue))
    }

    /// Takes a row out.
    ///
    /// - Returns: Whether it was queued.
    /// - Complexity: O(log n)
    @discardableResult
    public mutating func remove(_ row: Int32) -> Bool {
        guard contains(row) else { return false }
        version += 1
        forest.detach(row)
        return true
    }

    /// Where a row stands over all levels.
    ///
    /// - Returns: From 1 = next; `nil` if it is not queued.
    /// - Complexity: O(log n)
    public func position(of row: Int32) -> Int? {
        guard contains(row) else { return nil }
        let (level, place) = forest.place(of: row)
        return firstPosition(ofLevel: level) + place
    }

    /// The row at a position.
    ///
    /// - Parameter position: From 1 = next.
    /// - Returns: `nil` if there is none.
    /// - Complexity: O(log n)
    public func row(at position: Int) -> Int32? {
        guard position >= 1 else { return nil }
        var place = position - 1
        for level in Self.levels {
            let count = count(atLevel: level)
            if place < count { return forest.row(at: place, inTree: level) }
            place -= count
        }
        return nil
    }

    /// The rows at consecutive positions.
    ///
    /// - Parameters:
    ///   - position: Of the first row, from 1.
    ///   - count: At most so many.
    /// - Returns: Fewer than `count`, or none, where the queue ends.
    /// - Complexity: O(log n + count)
    public func rows(from position: Int, count: Int) -> [Int32] {
        guard count > 0, var row = row(at: position) else { return [] }
        var rows = [row]
        while rows.count < count, let next = self.row(after: row) {
            rows.append(next)
            row = next
        }
        return rows
    }

    /// Moves a queued row before all others, whatever their priority.
    ///
    /// It then stands above all levels until it is taken out, also before rows of
    /// high priority that are inserted later.
    ///
    /// - Returns: Whether it was queued, and not the first of the promoted already: what is first only by its level gives
    ///   way to the next of a higher one.
    @discardableResult
    public mutating func moveToFront(_ row: Int32) -> Bool {
        guard contains(row), first != row || band(of: row) != .promoted else { return false }
        version += 1
        forest.detach(row)
        version += 1
        forest.attach(row, tree: Band.promoted.rawValue, place: 0)
        return true
    }

    /// Moves a queued row within its level; a promoted one among the promoted.
    ///
    /// - Parameters:
    ///   - row: The row to move.
    ///   - distance: Places towards the end, negative towards the front; as far as the level reaches.
    /// - Returns: Whether it stands somewhere else now.
    @discardableResult
    public mutating func move(_ row: Int32, by distance: Int) -> Bool {
        guard contains(row) else { return false }
        let (level, place) = forest.place(of: row)
        let last = count(atLevel: level) - 1
        let target = place + min(max(distance, -place), last - place)
        guard target != place else { return false }
        version += 1
        forest.detach(row)
        version += 1
        forest.attach(row, tree: level, place: target)
        return true
    }

    /// Gives back the storage of rows that are no more.
    ///
    /// - Precondition: None from `rowCount` on is queued.
    mutating func keepRows(below rowCount: Int) { forest.keepRows(below: rowCount) }

    private func count(atLevel level: Int) -> Int { forest.count(inTree: level) }

    private func firstPosition(ofLevel level: Int) -> Int {
        (0..<level).reduce(1) { $0 + count(atLevel: $1) }
    }

    private func row(after row: Int32) -> Int32? {
        let (next, level) = forest.row(after: row)
        if let next { return next }
        for level in (level + 1)..<Self.levels.upperBound {
            if let first = forest.first(inTree: level) { return first }
        }
        return nil
    }
}
