/// The order in which queued tasks get slots: rows of the scheduler's slab, by priority and place.
///
/// Every operation, and finding a row's position or the row at a position, costs
/// O(log n), so that a million rows are fine. It knows nothing of tasks but their
/// row numbers: dense small integers, used as indices of its own storage, 16 bytes each.
///
/// One balanced tree with counts for each level, all in one array. The shape follows
/// from a hash of the row numbers, so equal steps give equal trees, and no step needs
/// randomness. A promoted row stands on a level of its own above all priorities.
///
/// - SeeAlso: Seidel and Aragon, "Randomized Search Trees" (treaps).
public struct TaskQueue: Sendable {
    private struct Node: Sendable {
        /// Rows, or ``none``.
        var left = none
        var right = none
        /// A row; for the root of a level, a number that names the level.
        var parent = none
        /// Rows of this subtree; 0 where the row is not queued.
        var count: Int32 = 0
    }

    /// The levels, first one first.
    public enum Band: Int, CaseIterable, Sendable {
        /// Moved before all others by the user.
        case promoted
        case high
        case normal
        case low
        /// Only prefetches: last, so that their share of the slots holds up nobody.
        case prefetch

        public init(_ priority: Priority) {
            switch priority {
            case .high: self = .high
            case .normal: self = .normal
            case .low: self = .low
            }
        }
    }

    private static let none: Int32 = -1
    private static let levels = 0..<5

    private var nodes: ContiguousArray<Node> = []
    private var roots: InlineArray<5, Int32> = .init(repeating: none)

    public init() {}

    /// Queued rows.
    public var count: Int { Self.levels.reduce(0) { $0 + count(atLevel: $1) } }
    public var isEmpty: Bool { Self.levels.allSatisfy { roots[$0] == Self.none } }

    /// Rows that were inserted with this priority, and not promoted since.
    public func count(of priority: Priority) -> Int { count(atLevel: Band(priority).rawValue) }

    /// The level on which a row is queued.
    public func band(of row: Int32) -> Band? { contains(row) ? Band(rawValue: place(of: row).level) : nil }

    public func contains(_ row: Int32) -> Bool {
        row >= 0 && Int(row) < nodes.count && nodes[Int(row)].count > 0
    }

    /// The row that gets the next slot.
    public var first: Int32? {
        for level in Self.levels where roots[level] != Self.none { return leftmost(roots[level]) }
        return nil
    }

    /// Adds a row at one end of its level.
    ///
    /// - Parameters:
    ///   - row: Not queued yet. `0...`
    ///   - priority: Its level.
    ///   - atFront: Whether it goes before those of its level, not behind them.
    /// - Precondition: `row` is not queued.
    /// - Complexity: O(log n)
    public mutating func insert(_ row: Int32, priority: Priority, atFront: Bool = false) {
        insert(row, band: Band(priority), atFront: atFront)
    }

    /// Adds a row at one end of a level that need not be that of a priority.
    ///
    /// - Precondition: `row` is not queued.
    /// - Complexity: O(log n)
    public mutating func insert(_ row: Int32, band: Band, atFront: Bool) {
        attach(row, level: band.rawValue, place: atFront ? 0 : count(atLevel: band.rawValue))
    }

    /// Takes a row out.
    ///
    /// - Returns: Whether it was queued.
    /// - Complexity: O(log n)
    @discardableResult
    public mutating func remove(_ row: Int32) -> Bool {
        guard contains(row) else { return false }
        detach(row)
        return true
    }

    /// Takes out the row that gets the next slot.
    public mutating func popFirst() -> Int32? {
        guard let first else { return nil }
        detach(first)
        return first
    }

    /// Where a row stands over all levels.
    ///
    /// - Returns: From 1 = next; `nil` if it is not queued.
    /// - Complexity: O(log n)
    public func position(of row: Int32) -> Int? {
        guard contains(row) else { return nil }
        let (level, place) = place(of: row)
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
            if place < count { return row(at: place, below: roots[level]) }
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
    /// - Returns: Whether it was queued and not first already.
    @discardableResult
    public mutating func moveToFront(_ row: Int32) -> Bool {
        guard contains(row), first != row else { return false }
        detach(row)
        attach(row, level: Band.promoted.rawValue, place: 0)
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
        let (level, place) = place(of: row)
        let last = count(atLevel: level) - 1
        let target = place + min(max(distance, -place), last - place)
        guard target != place else { return false }
        detach(row)
        attach(row, level: level, place: target)
        return true
    }

    public mutating func removeAll() {
        nodes.removeAll()
        roots = .init(repeating: Self.none)
    }

    // MARK: - Levels

    private func count(atLevel level: Int) -> Int { Int(count(below: roots[level])) }

    private func firstPosition(ofLevel level: Int) -> Int {
        (0..<level).reduce(1) { $0 + count(atLevel: $1) }
    }

    /// The root of a level has this for a parent; its own inverse, and below every row and ``none``.
    private func rootMark(_ level: Int) -> Int32 { -2 - Int32(level) }

    // MARK: - Walking the trees

    private func count(below row: Int32) -> Int32 { row == Self.none ? 0 : nodes[Int(row)].count }

    private func leftmost(_ top: Int32) -> Int32 {
        var row = top
        while nodes[Int(row)].left != Self.none { row = nodes[Int(row)].left }
        return row
    }

    private func row(at place: Int, below top: Int32) -> Int32 {
        var (row, place) = (top, Int32(place))
        while true {
            let before = count(below: nodes[Int(row)].left)
            if place == before { return row }
            if place < before {
                row = nodes[Int(row)].left
            } else {
                place -= before + 1
                row = nodes[Int(row)].right
            }
        }
    }

    /// The level of a queued row, and how many stand before it there.
    private func place(of row: Int32) -> (level: Int, place: Int) {
        var place = count(below: nodes[Int(row)].left)
        var (child, parent) = (row, nodes[Int(row)].parent)
        while parent >= 0 {
            let node = nodes[Int(parent)]
            if node.right == child { place += count(below: node.left) + 1 }
            (child, parent) = (parent, node.parent)
        }
        return (Int(-2 - parent), Int(place))
    }

    private func row(after row: Int32) -> Int32? {
        let right = nodes[Int(row)].right
        if right != Self.none { return leftmost(right) }
        var (child, parent) = (row, nodes[Int(row)].parent)
        while parent >= 0, nodes[Int(parent)].right == child { (child, parent) = (parent, nodes[Int(parent)].parent) }
        if parent >= 0 { return parent }
        let following = (Int(-2 - parent) + 1)..<Self.levels.upperBound
        return following.first { roots[$0] != Self.none }.map { leftmost(roots[$0]) }
    }

    // MARK: - Changing the trees

    /// Where a row stands in the tree: the greater, the nearer to the root.
    ///
    /// No two are equal, since every step can be undone.
    private func rank(_ row: Int32) -> UInt32 {
        var bits = UInt32(bitPattern: row) &+ 0x9E37_79B9
        bits = (bits ^ (bits >> 16)) &* 0x85EB_CA6B
        bits = (bits ^ (bits >> 13)) &* 0xC2B2_AE35
        return bits ^ (bits >> 16)
    }

    /// Adds a row as a leaf, and lets it rise to where its rank belongs.
    private mutating func attach(_ row: Int32, level: Int, place: Int) {
        precondition(row >= 0 && !contains(row), "a row is queued once")
        while nodes.count <= Int(row) { nodes.append(Node()) }
        var (parent, top, place) = (rootMark(level), roots[level], Int32(place))
        var isLeft = false
        while top != Self.none {
            nodes[Int(top)].count += 1
            let before = count(below: nodes[Int(top)].left)
            parent = top
            isLeft = place <= before
            if !isLeft { place -= before + 1 }
            top = isLeft ? nodes[Int(top)].left : nodes[Int(top)].right
        }
        nodes[Int(row)] = Node(parent: parent, count: 1)
        if parent < 0 {
            roots[level] = row
        } else if isLeft {
            nodes[Int(parent)].left = row
        } else {
            nodes[Int(parent)].right = row
        }
        let rank = rank(row)
        while case let parent = nodes[Int(row)].parent, parent >= 0, self.rank(parent) < rank { rotateUp(row) }
    }

    /// Lets a row sink until it has one child at most, which takes its place.
    private mutating func detach(_ row: Int32) {
        while case let node = nodes[Int(row)], node.left != Self.none, node.right != Self.none {
            rotateUp(rank(node.left) > rank(node.right) ? node.left : node.right)
        }
        let node = nodes[Int(row)]
        let child = node.left != Self.none ? node.left : node.right
        replaceChild(row, of: node.parent, with: child)
        if child != Self.none { nodes[Int(child)].parent = node.parent }
        var parent = node.parent
        while parent >= 0 {
            nodes[Int(parent)].count -= 1
            parent = nodes[Int(parent)].parent
        }
        nodes[Int(row)] = Node()
    }

    /// Swaps a row with its parent, keeping the order.
    private mutating func rotateUp(_ row: Int32) {
        let parent = nodes[Int(row)].parent
        let above = nodes[Int(parent)].parent
        let inner: Int32
        if nodes[Int(parent)].left == row {
            inner = nodes[Int(row)].right
            nodes[Int(parent)].left = inner
            nodes[Int(row)].right = parent
        } else {
            inner = nodes[Int(row)].left
            nodes[Int(parent)].right = inner
            nodes[Int(row)].left = parent
        }
        if inner != Self.none { nodes[Int(inner)].parent = parent }
        replaceChild(parent, of: above, with: row)
        nodes[Int(row)].parent = above
        nodes[Int(parent)].parent = row
        let total = nodes[Int(parent)].count
        nodes[Int(parent)].count = total - nodes[Int(row)].count + count(below: inner)
        nodes[Int(row)].count = total
    }

    private mutating func replaceChild(_ old: Int32, of parent: Int32, with new: Int32) {
        if parent < 0 {
            roots[Int(-2 - parent)] = new
        } else if nodes[Int(parent)].left == old {
            nodes[Int(parent)].left = new
        } else {
            nodes[Int(parent)].right = new
        }
    }
}
