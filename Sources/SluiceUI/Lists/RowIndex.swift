/// Which entries of a long list are shown, and in which order.
///
/// Made anew when the list is looked at in another way; after that only entries that came since are looked at, so that a
/// narrowed list of 10,000 rows costs no more than a plain one. Entries are known by numbers that grow with time.
struct RowIndex: Sendable {
    /// The ring of a list, as far as its rows matter here.
    struct Source {
        /// Of what the ring holds; `newest` is less than `oldest` if that is nothing.
        let oldest: Int
        let newest: Int
        /// Whether the newest entry may say something else by now.
        var newestChanges = false
        /// The entries that came after a number and are let through, the newest first.
        let rows: (_ after: Int) -> [Int]
        /// Puts all of them in order, the first of equal ones first.
        let sorted: ([Int]) -> [Int]
        /// Whether an entry stands before another one, as `sorted` has it; `nil` where the newest is first.
        let isBefore: ((Int, Int) -> Bool)?
    }

    private struct Key: Equatable {
        var list = ListState()
        /// No entry has a number so small.
        var oldest = Int.min
        var newest = Int.min
    }

    /// `nil` while all are shown, the newest first.
    private(set) var seqs: [Int]?
    /// Entries that the user removed from the list.
    private(set) var hidden: Set<Int> = []
    private var newestHidden = Int.min
    private var key = Key()
    private var isStale = false

    /// Takes entries out of the list; ``refresh(_:_:)`` must follow.
    mutating func hide(_ more: some Sequence<Int>) {
        let more = Set(more)
        if more.isEmpty { return }
        hidden.formUnion(more)
        newestHidden = max(newestHidden, more.max() ?? newestHidden)
        if seqs == nil { isStale = true } else { seqs?.removeAll(where: more.contains) }
    }

    /// What stands behind the numbers is another list.
    mutating func invalidate() { isStale = true }

    /// Takes what came, what the ring forgot, and another look at the list.
    ///
    /// - Complexity: O(n) in numbers of n rows that are shown, and O(m log n) in rows of m that came.
    mutating func refresh(_ list: ListState, _ source: Source) {
        let last = key
        key = Key(list: list, oldest: source.oldest, newest: source.newest)
        key.list.selection = RowSelection()
        if key == last, !isStale { return }
        if newestHidden < source.oldest { hidden = [] }
        guard !list.isPlain || !hidden.isEmpty else {
            (seqs, isStale) = (nil, false)
            return
        }
        let goesOn = key.list == last.list && source.oldest >= last.oldest && source.newest >= last.newest
        guard goesOn, !isStale, var shown = seqs else { return make(list, source) }
        seqs = nil
        let judged = max(source.newestChanges ? last.newest - 1 : last.newest, source.oldest - 1)
        if source.newestChanges || source.oldest > last.oldest {
            shown.removeAll { $0 < source.oldest || $0 > judged }
        }
        add(source.rows(judged).filter { !hidden.contains($0) }, to: &shown, list, source)
        seqs = shown
    }

    func index(of seq: Int) -> Int? { seqs?.firstIndex(of: seq) }

    private mutating func make(_ list: ListState, _ source: Source) {
        hidden = hidden.filter { $0 >= source.oldest }
        var all = source.sorted(source.rows(source.oldest - 1).filter { !hidden.contains($0) })
        if list.isReversed { all.reverse() }
        (seqs, isStale) = (all, false)
    }

    /// Puts rows in their places; the newest, which comes first, goes before older ones that are equal to it.
    private func add(_ rows: [Int], to shown: inout [Int], _ list: ListState, _ source: Source) {
        guard let isBefore = source.isBefore else {
            if list.isReversed { shown += rows.reversed() } else { shown.insert(contentsOf: rows, at: 0) }
            return
        }
        for row in rows.reversed() {
            let place = shown.firstPlace { list.isReversed ? isBefore($0, row) : !isBefore($0, row) }
            shown.insert(row, at: place)
        }
    }
}

extension [Int] {
    /// Where the first element stands of those at the end that a condition is true for.
    fileprivate func firstPlace(where isTrue: (Int) -> Bool) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if isTrue(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
