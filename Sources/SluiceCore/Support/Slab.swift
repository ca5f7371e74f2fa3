/// Rows in one array, found by a small number that is reused once its row is removed.
///
/// A queued task costs its row and nothing on the heap.
///
/// - Complexity: All operations are O(1), amortized, except ``all``.
struct Slab<Element: Sendable>: Sendable {
    private var rows: ContiguousArray<Element?> = []
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
        guard let element = rows[Int(row)].take() else { preconditionFailure("a row that was removed") }
        free.append(row)
        return element
    }

    /// Read and changed in place: a row may hold several references, and copying them costs more than the change.
    ///
    /// - Precondition: The row is in use.
    // swift-format-ignore: NeverForceUnwrap
    subscript(row: Int32) -> Element {
        // Sound: a row that was removed traps, which is the precondition; only an unwrapping yields in place.
        _read { yield rows[Int(row)]! }
        _modify { yield &rows[Int(row)]! }
    }

    /// Every element, in no order; O(capacity).
    var all: [Element] { rows.compactMap(\.self) }
}
