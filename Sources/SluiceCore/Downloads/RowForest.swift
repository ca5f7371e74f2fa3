/// Trees of rows in an order of their own, all in one array: what queues are made of.
///
/// Rows are dense small integers, used as indices of its own storage, 20 bytes for each up to
/// the highest; a row stands in one tree at most. Balanced trees with counts: every operation,
/// and finding a row's place or the row at a place, costs O(log n), amortized. A row can be held
/// back, and the first that is not is found in O(log n) too. Whoever numbers the rows says when
/// the upper ones are no more. The shape follows from a hash of the row numbers,
/// so equal steps give equal trees, and no step needs randomness.
///
/// - SeeAlso: Seidel and Aragon, "Randomized Search Trees" (treaps).
struct RowForest: Sendable {
    private struct Node: Sendable {
        /// Rows, or ``none``.
        var left = none
        var right = none
        /// A row; for the root of a tree, a number that names the tree.
        var parent = none
        /// Rows of this subtree; 0 where the row stands in no tree.
        var count: Int32 = 0
        /// Those of them that are not held back.
        var ready: Int32 = 0
    }

    private static let none: Int32 = -1

    private var nodes: ContiguousArray<Node> = []
    private var roots: ContiguousArray<Int32>

    /// - Parameter trees: How many there are at first, empty.
    init(trees: Int = 0) { roots = ContiguousArray(repeating: Self.none, count: trees) }

    /// Rows for which there is storage; each that stands in a tree is below it.
    var rowCount: Int { nodes.count }

    /// - Returns: The number of a new tree, which is empty.
    mutating func addTree() -> Int {
        roots.append(Self.none)
        return roots.count - 1
    }

    func contains(_ row: Int32) -> Bool { row >= 0 && Int(row) < nodes.count && nodes[Int(row)].count > 0 }

    func count(inTree tree: Int) -> Int { Int(count(below: roots[tree])) }

    func first(inTree tree: Int) -> Int32? { roots[tree] == Self.none ? nil : leftmost(roots[tree]) }

    /// The tree in which a row stands, and how many stand before it there.
    ///
    /// - Precondition: It stands in one.
    func place(of row: Int32) -> (tree: Int, place: Int) {
        var place = count(below: nodes[Int(row)].left)
        var (child, parent) = (row, nodes[Int(row)].parent)
        while parent >= 0 {
            let node = nodes[Int(parent)]
            if node.right == child { place += count(below: node.left) + 1 }
            (child, parent) = (parent, node.parent)
        }
        return (Int(-2 - parent), Int(place))
    }

    /// - Precondition: The tree has more than `place` rows.
    func row(at place: Int, inTree tree: Int) -> Int32 {
        var (row, place) = (roots[tree], Int32(place))
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

    /// The row that follows in the same tree.
    ///
    /// - Returns: `nil` behind the last, with the tree that ends there.
    func row(after row: Int32) -> (row: Int32?, tree: Int) {
        let right = nodes[Int(row)].right
        if right != Self.none { return (leftmost(right), 0) }
        var (child, parent) = (row, nodes[Int(row)].parent)
        while parent >= 0, nodes[Int(parent)].right == child { (child, parent) = (parent, nodes[Int(parent)].parent) }
        return parent >= 0 ? (parent, 0) : (nil, Int(-2 - parent))
    }

    // MARK: Rows that are held back

    func isReady(_ row: Int32) -> Bool { contains(row) && own(row) > 0 }

    /// The first row of a tree that is not held back.
    func firstReady(inTree tree: Int) -> Int32? {
        var row = roots[tree]
        guard ready(below: row) > 0 else { return nil }
        while true {
            let node = nodes[Int(row)]
            if ready(below: node.left) > 0 {
                row = node.left
            } else if own(row) > 0 {
                return row
            } else {
                row = node.right
            }
        }
    }

    /// Holds a row back where it stands, or lets it go.
    mutating func setReady(_ row: Int32, _ isReady: Bool) {
        guard contains(row), self.isReady(row) != isReady else { return }
        var row = row
        while row >= 0 {
            nodes[Int(row)].ready += isReady ? 1 : -1
            row = nodes[Int(row)].parent
        }
    }

    private func count(below row: Int32) -> Int32 { row == Self.none ? 0 : nodes[Int(row)].count }

    private func ready(below row: Int32) -> Int32 { row == Self.none ? 0 : nodes[Int(row)].ready }

    /// 1 unless the row itself is held back.
    private func own(_ row: Int32) -> Int32 {
        let node = nodes[Int(row)]
        return node.ready - ready(below: node.left) - ready(below: node.right)
    }

    private func leftmost(_ top: Int32) -> Int32 {
        var row = top
        while nodes[Int(row)].left != Self.none { row = nodes[Int(row)].left }
        return row
    }

    // MARK: Changing the trees

    /// The root of a tree has this for a parent; its own inverse, and below every row and ``none``.
    private func rootMark(_ tree: Int) -> Int32 { -2 - Int32(tree) }

    /// Where a row stands in the tree: the greater, the nearer to the root.
    ///
    /// No two are equal, since every step can be undone.
    private func rank(_ row: Int32) -> UInt32 {
        var bits = UInt32(bitPattern: row) &+ 0x9E37_79B9
        bits = (bits ^ (bits >> 16)) &* 0x85EB_CA6B
        bits = (bits ^ (bits >> 13)) &* 0xC2B2_AE35
        return bits ^ (bits >> 16)
    }

    /// Adds a row to a tree that has an order of its own, at its place there.
    ///
    /// - Complexity: O(log n) where it stands behind or before all others, as most do; else O(log² n).
    mutating func attach(_ row: Int32, tree: Int, isBefore: (Int32, Int32) -> Bool) {
        let count = count(inTree: tree)
        var (low, high) = (0, count)
        if count > 0, isBefore(self.row(at: count - 1, inTree: tree), row) {
            low = count
        } else if count > 0, isBefore(row, self.row(at: 0, inTree: tree)) {
            high = 0
        }
        while low < high {
            let middle = (low + high) / 2
            if isBefore(self.row(at: middle, inTree: tree), row) { low = middle + 1 } else { high = middle }
        }
        attach(row, tree: tree, place: low)
    }

    /// Adds a row as a leaf, and lets it rise to where its rank belongs.
    mutating func attach(_ row: Int32, tree: Int, place: Int) {
        precondition(row >= 0 && !contains(row), "a row is queued once")
        while nodes.count <= Int(row) { nodes.append(Node()) }
        var (parent, top, place) = (rootMark(tree), roots[tree], Int32(place))
        var isLeft = false
        while top != Self.none {
            nodes[Int(top)].count += 1
            nodes[Int(top)].ready += 1
            let before = count(below: nodes[Int(top)].left)
            parent = top
            isLeft = place <= before
            if !isLeft { place -= before + 1 }
            top = isLeft ? nodes[Int(top)].left : nodes[Int(top)].right
        }
        nodes[Int(row)] = Node(parent: parent, count: 1, ready: 1)
        if parent < 0 {
            roots[tree] = row
        } else if isLeft {
            nodes[Int(parent)].left = row
        } else {
            nodes[Int(parent)].right = row
        }
        let rank = rank(row)
        while case let parent = nodes[Int(row)].parent, parent >= 0, self.rank(parent) < rank { rotateUp(row) }
    }

    /// Lets a row sink until it has one child at most, which takes its place.
    mutating func detach(_ row: Int32) {
        while case let node = nodes[Int(row)], node.left != Self.none, node.right != Self.none {
            rotateUp(rank(node.left) > rank(node.right) ? node.left : node.right)
        }
        let node = nodes[Int(row)]
        let isReady = own(row)
        let child = node.left != Self.none ? node.left : node.right
        replaceChild(row, of: node.parent, with: child)
        if child != Self.none { nodes[Int(child)].parent = node.parent }
        var parent = node.parent
        while parent >= 0 {
            nodes[Int(parent)].count -= 1
            nodes[Int(parent)].ready -= isReady
            parent = nodes[Int(parent)].parent
        }
        nodes[Int(row)] = Node()
    }

    /// Gives back the storage of rows that are no more.
    ///
    /// - Precondition: None from `rowCount` on stands in a tree.
    /// - Complexity: O(`rowCount`) where there is something to give back.
    mutating func keepRows(below rowCount: Int) {
        guard rowCount < nodes.count else { return }
        // A copy: an array that is cut short keeps its storage.
        nodes = ContiguousArray(nodes.prefix(rowCount))
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
        let (total, totalReady) = (nodes[Int(parent)].count, nodes[Int(parent)].ready)
        nodes[Int(parent)].ready = totalReady - nodes[Int(row)].ready + ready(below: inner)
        nodes[Int(row)].ready = totalReady
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
