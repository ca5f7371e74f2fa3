internal import SluiceCore

/// What every list says of how it is looked at: filter, order, selection, and the mark of a selected row.
enum ListNote {
    /// In the lower edge, left; empty for a list that is as it comes.
    static func text(_ panel: Panel, _ state: AppState) -> StyledText {
        let list = state[list: panel]
        var parts: [StyledText] = []
        if list.isNarrowed { parts.append(.dim("/") + .bright(Elision.end(VisibleText.visible(list.filter.text), 20))) }
        if list.sort != .natural || list.isReversed {
            parts.append(.dim("by \(list.sort.title)" + (list.isReversed ? ", reversed" : "")))
        }
        let selected = state.selectedCount(in: panel)
        if selected > 0 { parts.append(.bold("● ", .accent) + .bright("\(Format.count(selected)) selected")) }
        // What moves the cursor selects.
        if list.selection.isExtending { parts.append(.dim("range")) }
        return parts.dropFirst().reduce(parts.first ?? StyledText()) { $0 + .dim(" · ") + $1 }
    }

    /// How many rows a list has, and before that how many of them its filter lets through: `1/26`.
    static func count(_ panel: Panel, of whole: Int, _ state: AppState) -> String {
        guard state[list: panel].isNarrowed else { return Format.count(whole) }
        let shown =
            switch panel {
            case .queued: state.snapshot.queuedMatches
            case .finished: state.shownEndedCount
            case .failed: state.failedRows.count
            default: Int?.none
            }
        return shown.map { "\(Format.count($0))/\(Format.count(whole))" } ?? Format.count(whole)
    }

    /// What stands in a list whose filter hides every row, and how to see them; `nil` without a filter.
    static func nothing(_ panel: Panel, _ state: AppState) -> StyledText? {
        let list = state[list: panel]
        guard list.isNarrowed else { return nil }
        let text =
            .dim("no row matches ") + .bright("/" + Elision.end(VisibleText.visible(list.filter.text), 40))
            + unlisted(panel, state)
        // While the filter is typed, the same key does the same.
        return state.focus == panel ? text + state.hint(" · ", .restore, "shows all") : text
    }

    /// How many that a list counts have no row there, and so were not looked into.
    private static func unlisted(_ panel: Panel, _ state: AppState) -> StyledText {
        let count =
            switch panel {
            case .active: state.unlistedCount
            case .failed: state.unlistedFailedCount
            default: 0
            }
        return count > 0 ? .dim(" · \(Format.count(count)) more are not listed") : StyledText()
    }

    /// Marks a row as selected.
    static func mark(x: Int, y: Int, width: Int, isCursor: Bool, _ painter: inout Painter) {
        if !isCursor { painter.mark(x: x, y: y, width: width) }
        painter.put(.bold("●", isCursor ? .focus : .accent), x: x, y: y)
    }
}
