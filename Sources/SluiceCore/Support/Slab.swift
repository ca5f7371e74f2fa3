/// Rows in one array, found by a small number that is reused once its row is removed.
///
/// A queued task costs its row and nothing on the heap.
///
/// - Complexity: All operations are O(1), amortized, except ``all``.
struct Slab<Element: Sendable>: Sendable {
    private enum Row: Sendable {
        case used(Element)
        /// The next free row, or −1.
        case free(Int32)
    }

    private var rows: ContiguousArray<Row> = []
    private var firstFree: Int32 = -1
    private(set) var count = 0

    /// - Returns: The row's number, valid until it is removed.
    mutating func insert(_ element: Element) -> Int32 {
        count += 1
        guard firstFree >= 0, case .free(let next) = rows[Int(firstFree)] else {
            rows.append(.used(element))
            return Int32(rows.count - 1)
        }
        let row = firstFree
        rows[Int(row)] = .used(element)
        firstFree = next
        return row
    }

    /// - Precondition: The row is in use.
    mutating func remove(_ row: Int32) -> Element {
        let element = self[row]
        rows[Int(row)] = .free(firstFree)
        firstFree = row
        count -= 1
        return element
    }

    /// - Precondition: The row is in use.
    subscript(row: Int32) -> Element {
        get {
            guard case .used(let element) = rows[Int(row)] else { preconditionFailure("a row that was removed") }
            return element
        }
        set { rows[Int(row)] = .used(newValue) }
    }

    /// Every element, in no order; O(capacity).
    var all: [Element] {
        rows.compactMap { row in
            if case .used(let element) = row { element } else { nil }
        }
    }
}
