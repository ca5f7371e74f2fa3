/// Which entries of a long list are shown, and in which order, made anew only when something changed.
///
/// Entries are known by numbers that grow with time.
struct RowIndex: Sendable {
    private struct Key: Equatable {
        var list = ListState()
        var newest = 0
        var count = 0
        var hidden = 0
    }

    /// `nil` while all are shown, the newest first.
    private(set) var seqs: [Int]?
    /// Entries that the user removed from the list.
    private(set) var hidden: Set<Int> = []
    private var key = Key()

    mutating func hide(_ more: some Sequence<Int>) { hidden.formUnion(more) }

    /// Says how the list is looked at, and what there is.
    ///
    /// - Returns: Whether ``show(_:)`` must follow.
    mutating func isStale(_ list: ListState, newest: Int, count: Int) -> Bool {
        var list = list
        list.selection = RowSelection()
        let key = Key(list: list, newest: newest, count: count, hidden: hidden.count)
        guard key != self.key else { return false }
        self.key = key
        if list.isPlain, hidden.isEmpty { seqs = nil }
        return !list.isPlain || !hidden.isEmpty
    }

    /// Shows these in this order, but those that were removed.
    mutating func show(_ all: [Int]) { seqs = hidden.isEmpty ? all : all.filter { !hidden.contains($0) } }

    func index(of seq: Int) -> Int? { seqs?.firstIndex(of: seq) }
}
