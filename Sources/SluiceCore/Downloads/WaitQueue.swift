/// The tasks that wait for their retry time, soonest first.
///
/// A binary heap of times; a task that leaves early stays in it until its time,
/// recognised by its number, so that leaving costs nothing.
///
/// - Complexity: `insert` and `popDue` O(log n), `remove` O(1).
struct WaitQueue: Sendable {
    private struct Entry: Sendable {
        let until: Timestamp
        let serial: UInt64
        let row: Int32
    }

    private var heap: [Entry] = []
    /// The valid entry of each waiting row.
    private var serials: [Int32: UInt64] = [:]
    private var lastSerial: UInt64 = 0

    var count: Int { serials.count }

    /// When the next task goes on.
    var first: Timestamp? { heap.first?.until }

    mutating func insert(_ row: Int32, until: Timestamp) {
        lastSerial += 1
        serials[row] = lastSerial
        heap.append(Entry(until: until, serial: lastSerial, row: row))
        var child = heap.count - 1
        while child > 0, isBefore(heap[child], heap[(child - 1) / 2]) {
            heap.swapAt(child, (child - 1) / 2)
            child = (child - 1) / 2
        }
    }

    mutating func remove(_ row: Int32) {
        serials[row] = nil
        dropStale()
        // Those that left early never are more than those that stay, so that nobody has to look past many.
        guard heap.count > 2 * serials.count + 64 else { return }
        heap = heap.filter { serials[$0.row] == $0.serial }.sorted(by: isBefore)
    }

    /// Takes the soonest row whose time has come.
    mutating func popDue(now: Timestamp) -> Int32? {
        dropStale()
        guard let entry = heap.first, entry.until <= now else { return nil }
        popHeap()
        serials[entry.row] = nil
        dropStale()
        return entry.row
    }

    /// The first ones, soonest first.
    ///
    /// - Complexity: O(`count`²), and as much for those that left early and stand among them; O(n log n) for all.
    func sorted(atMost count: Int) -> [Int32] {
        if count >= serials.count {
            return heap.filter { serials[$0.row] == $0.serial }.sorted(by: isBefore).map(\.row)
        }
        var found: [Int32] = []
        // Places in the heap whose parents were looked at, the soonest last: it is the next one.
        var edge = heap.isEmpty ? [] : [0]
        while found.count < count, let place = edge.popLast() {
            for child in [2 * place + 1, 2 * place + 2] where child < heap.count {
                let later = edge.prefix { isBefore(heap[child], heap[$0]) }
                edge.insert(child, at: later.count)
            }
            if serials[heap[place].row] == heap[place].serial { found.append(heap[place].row) }
        }
        return found
    }

    /// Keeps the invariant that the top is valid, so that ``first`` is its time.
    private mutating func dropStale() {
        while let entry = heap.first, serials[entry.row] != entry.serial { popHeap() }
    }

    private func isBefore(_ left: Entry, _ right: Entry) -> Bool {
        left.until != right.until ? left.until < right.until : left.serial < right.serial
    }

    private mutating func popHeap() {
        heap.swapAt(0, heap.count - 1)
        heap.removeLast()
        var parent = 0
        while true {
            var least = parent
            for child in [2 * parent + 1, 2 * parent + 2] where child < heap.count && isBefore(heap[child], heap[least])
            {
                least = child
            }
            if least == parent { return }
            heap.swapAt(parent, least)
            parent = least
        }
    }
}
