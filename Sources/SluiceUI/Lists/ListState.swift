internal import SluiceCore

/// How one list is looked at: what narrows it, how it is sorted, and which of its rows are selected.
struct ListState: Equatable, Sendable {
    /// What rows are looked for; narrows the list while ``isNarrowed``, else `n` and `N` go to what matches.
    var filter = ListFilter()
    var isNarrowed = false
    var sort = RowSort.natural
    var isReversed = false
    var selection = RowSelection()

    /// What hides rows.
    var narrowing: ListFilter { isNarrowed ? filter : ListFilter() }
    /// Whether rows stand in another order, or some are hidden.
    var isPlain: Bool { narrowing.isEmpty && sort == .natural && !isReversed }
}

/// What the rows of a list can be sorted by.
enum RowSort: String, CaseIterable, Sendable {
    /// As they come: by state, by position, or the newest first.
    case natural
    case name
    case host
    case size
    case progress
    case rate
    case outcome

    /// The key of the menu.
    var key: Character {
        switch self {
        case .natural: "t"
        case .name: "n"
        case .host: "h"
        case .size: "s"
        case .progress: "p"
        case .rate: "r"
        case .outcome: "o"
        }
    }

    var title: String { self == .natural ? "time" : rawValue }

    /// Those that make sense for a panel; none if its rows have an order that must not be hidden.
    static func choices(for panel: Panel) -> [RowSort] {
        switch panel {
        case .active: [.natural, .name, .host, .size, .progress, .rate]
        case .finished: [.natural, .name, .host, .size, .outcome]
        default: []
        }
    }
}

/// Rows of a list that the next action is for.
///
/// A row is known by a number that stays its own: the task's, or that of an entry.
struct RowSelection: Equatable, Sendable {
    /// From one row to another; while no end was set, the cursor is the end.
    struct Range: Equatable, Sendable {
        let anchor: Int
        let anchorIndex: Int
        var end: Int?
        var endIndex: Int?
    }

    private(set) var rows: Set<Int> = []
    private(set) var range: Range?
    /// Every row that the filter lets through.
    private(set) var isAll = false

    var isEmpty: Bool { rows.isEmpty && range == nil && !isAll }
    /// Whether moving the cursor extends the range.
    var isExtending: Bool { range.map { $0.end == nil } ?? false }

    mutating func toggle(_ row: Int) {
        if rows.remove(row) == nil { rows.insert(row) }
    }

    mutating func add(_ more: some Sequence<Int>) { rows.formUnion(more) }

    mutating func startRange(at row: Int, index: Int) { range = Range(anchor: row, anchorIndex: index) }

    /// The range stays as it is, wherever the cursor goes.
    mutating func freezeRange(at row: Int, index: Int) {
        range?.end = row
        range?.endIndex = index
    }

    mutating func dropRange() { range = nil }

    mutating func selectAll() { (isAll, range) = (true, nil) }

    mutating func clear() { self = RowSelection() }

    /// Rows that are gone.
    mutating func forget(_ row: Int) {
        rows.remove(row)
        if range?.anchor == row || range?.end == row { range = nil }
    }

    mutating func keep(only present: Set<Int>) {
        rows.formIntersection(present)
        if let range, !present.contains(range.anchor) { self.range = nil }
    }

    /// - Parameters:
    ///   - row: Its own number.
    ///   - index: Where it stands.
    ///   - cursor: Where the cursor stands.
    /// - Returns: Whether it is selected.
    func contains(_ row: Int, index: Int, cursor: Int) -> Bool {
        if isAll || rows.contains(row) { return true }
        guard let range else { return false }
        let end = range.endIndex ?? cursor
        return (min(range.anchorIndex, end)...max(range.anchorIndex, end)).contains(index)
    }

    /// How many rows, of a list of `count`.
    func count(of count: Int, cursor: Int) -> Int {
        if isAll { return count }
        guard let range else { return rows.count }
        // The list may have become shorter since the range began.
        return min(count, max(rows.count, abs(range.anchorIndex - (range.endIndex ?? cursor)) + 1))
    }
}

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
