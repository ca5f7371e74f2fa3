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
/// - Complexity: All operations are O(1), amortized, except ``all``.
struct Slab<Element: SlabRow>: Sendable {
    // Not optional: unwrapping in place copies the whole row, and a row may hold several references.
    private var rows: ContiguousArray<Element> = []
    /// Rows without an element; the last one is used next.
    private var free: ContiguousArray<Int32> = []

    var count: Int { rows.count - free.count }

    /// - Returns: The row's number, valid until it is removed.
    mutating func insert(_ element: Element) -> Int32 {
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
        free.append(row)
        return element
    }

    /// Removes a row that nobody wants any more, in place.
    ///
    /// - Precondition: The row is in use.
    mutating func drop(_ row: Int32) {
        precondition(!rows[Int(row)].isVacant, "a row that was removed")
        rows[Int(row)] = Element.vacant
        free.append(row)
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

    /// Every element, in no order; O(capacity).
    var all: [Element] { rows.filter { !$0.isVacant } }
}
