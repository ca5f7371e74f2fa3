internal import SluiceCore

/// The lists that share a place: which others there are, and what they hold.
enum ListTabs {
    /// Behind the title of one of them; without the counts where those do not fit, and at last without the words.
    ///
    /// - Parameters:
    ///   - panel: The one that is seen.
    ///   - state: What they hold.
    ///   - width: Of its box.
    ///   - rest: Cells of the upper edge that something else needs.
    /// - Returns: The others that hold something, and the queue; empty where there is no room.
    static func text(_ panel: Panel, _ state: AppState, width: Int, leaving rest: Int = 0) -> StyledText {
        let tabs: [(Panel, Int)] = [
            (.queued, state.snapshot.queuedCount), (.finished, state.wholeEndedCount), (.failed, state.failedCount),
        ]
        // Also what a filter hides is there.
        let others = tabs.filter { $0.0 != panel && ($0.1 > 0 || $0.0 == .queued) }.map { tab in
            (tab.0, ListNote.count(tab.0, of: tab.1, state))
        }
        func text(_ words: (Panel, String) -> String) -> StyledText {
            others.reduce(StyledText()) { text, tab in
                let digit = state.digit(tab.0)
                return text + .plain("  ") + .bold(digit.isEmpty ? "" : "\(digit) ", .accent)
                    + .dim(words(tab.0, tab.1))
            }
        }
        // Corners and a dash on both sides, a blank around the title, its digit.
        let room = width - 6 - 2 - panel.title.count - rest
        let choices = [
            text { "\($0.title) \($1)" }, text { panel, _ in panel.title }, text(short),
        ]
        return choices.first { $0.width <= room } ?? StyledText()
    }

    private static func short(_ panel: Panel, _ count: String) -> String {
        switch panel {
        // They ended one way or another.
        case .finished: "#\(count)"
        case .failed: "✗\(count)"
        default: count
        }
    }
}
