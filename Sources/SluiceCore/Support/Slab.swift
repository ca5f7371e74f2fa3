/// What a ``Slab`` can hold.
protocol SlabRow: Sendable {
    /// Fills a row that is not in use, and holds on to nothing.
    static var vacant: Self { get }
    var isVacant: Bool { get }
}

/// Rows in one array, found by a small number that is reused once its row is removed.
///
/// A queued task costs its row and nothing on the heap.
///
/// What a peak needed is given back: once less than a quarter of the rows is in use, the upper half of them takes no new
/// elements, and goes when its last one is removed. No element is ever moved, since others know its number: one that
/// stays in the upper half keeps all rows up to its own.
///
/// - Complexity: All operations are O(1), amortized, except ``all``.
struct Slab<Element: SlabRow>: Sendable {
    /// Rows that are kept whatever is in them.
    private static var idleCount: Int { 1_024 }

    // Not optional: unwrapping in place copies the whole row, and a row may hold several references.
    private var rows: ContiguousArray<Element> = []
    /// Rows without an element that may have one; the last one is used next.
    private var free: ContiguousArray<Int32> = []
    /// Rows from here on take no new elements; `Int.max` if all do.
    private var limit = Int.max
    /// Elements in those.
    private var leaving = 0
    /// Elements.
    private(set) var count = 0

    /// Rows, those without an element included; the number of each is below it.
    var rowCount: Int { rows.count }

    /// - Returns: The row's number, valid until it is removed.
    mutating func insert(_ element: Element) -> Int32 {
        count += 1
        if free.isEmpty, limit != .max { reopen() }
        guard let row = free.popLast() else {
            rows.append(element)
            return Int32(rows.count - 1)
        }
        rows[Int(row)] = element
        return row
    }

    /// - Precondition: The row is in use.
    mutating func remove(_ row: Int32) -> Element {
        var element = Element.vacant
        swap(&element, &rows[Int(row)])
        precondition(!element.isVacant, "a row that was removed")
        vacated(row)
        return element
    }

    /// Removes a row that nobody wants any more, in place.
    ///
    /// - Precondition: The row is in use.
    mutating func drop(_ row: Int32) {
        precondition(!rows[Int(row)].isVacant, "a row that was removed")
        rows[Int(row)] = Element.vacant
        vacated(row)
    }

    /// Read and changed in place.
    ///
    /// - Precondition: The row is in use.
    subscript(row: Int32) -> Element {
        _read {
            precondition(!rows[Int(row)].isVacant, "a row that was removed")
            yield rows[Int(row)]
        }
        _modify {
            precondition(!rows[Int(row)].isVacant, "a row that was removed")
            yield &rows[Int(row)]
        }
    }

    /// Every element, in no order.
    ///
    /// - Complexity: O(``rowCount``)
    var all: [Element] { rows.filter { !$0.isVacant } }

    private mutating func vacated(_ row: Int32) {
        count -= 1
        if Int(row) < limit {
            free.append(row)
            if limit == .max, count * 4 < rows.count, rows.count > Self.idleCount { close() }
        } else {
            leaving -= 1
            if leaving == 0 { giveBack() }
        }
    }

    /// Lets the upper half run empty.
    private mutating func close() {
        limit = rows.count / 2
        free = vacantRows(in: 0..<limit)
        leaving = 0
        for row in limit..<rows.count where !rows[row].isVacant { leaving += 1 }
        if leaving == 0 { giveBack() }
    }

    /// Uses all rows again: more came than there is room for in the lower half.
    private mutating func reopen() {
        free = vacantRows(in: limit..<rows.count)
        (limit, leaving) = (.max, 0)
    }

    /// Gives the upper half back, and what is vacant before it.
    private mutating func giveBack() {
        var end = limit
        while end > 0, rows[end - 1].isVacant { end -= 1 }
        // A copy: an array that is cut short keeps its storage.
        rows = ContiguousArray(rows.prefix(end))
        free = vacantRows(in: 0..<end)
        limit = .max
    }

    /// Such that the lowest is used first, and the upper ones run empty sooner.
    private func vacantRows(in range: Range<Int>) -> ContiguousArray<Int32> {
        var found: ContiguousArray<Int32> = []
        for row in range.reversed() where rows[row].isVacant { found.append(Int32(row)) }
        return found
    }
}
