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
