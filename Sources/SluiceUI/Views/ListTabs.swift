internal import SluiceCore

/// The lists that share a place: which others there are, and what they hold.
///
/// They stand behind the title of one of them, each with its count: a digit beside a word alone would be read as one.
/// Where they do not fit, the words are shorter, and at last signs.
struct ListTabs {
    /// The others that hold something, and the queue; empty where there is no room.
    private let tabs: [(panel: Panel, text: StyledText)]

    /// - Parameters:
    ///   - panel: The one that is seen.
    ///   - state: What they hold.
    ///   - width: Of its box.
    ///   - rest: Cells of the upper edge that something else needs.
    init(beside panel: Panel, _ state: AppState, width: Int, leaving rest: Int = 0) {
        let tabs: [(Panel, Int)] = [
            (.queued, state.snapshot.queuedCount), (.finished, state.wholeEndedCount), (.failed, state.failedCount),
        ]
        // Also what a filter hides is there.
        let others = tabs.filter { $0.0 != panel && ($0.1 > 0 || $0.0 == .queued) }.map { tab in
            (tab.0, ListNote.count(tab.0, of: tab.1, state))
        }
        func texts(_ words: (Panel, String) -> String) -> [(panel: Panel, text: StyledText)] {
            others.map { tab in
                let digit = state.digit(tab.0)
                let text = StyledText.bold(digit.isEmpty ? "" : "\(digit) ", .accent) + .dim(words(tab.0, tab.1))
                return (tab.0, text)
            }
        }
        // Corners and a dash on both sides, a blank around the title, its digit.
        let room = width - 6 - 2 - panel.title.count - rest
        let choices = [
            texts { "\($0.title) \($1)" }, texts { "\(Self.word($0)) \($1)" }, texts(Self.short), texts(Self.sign),
        ]
        self.tabs = choices.first { $0.reduce(0) { $0 + Self.gap + $1.text.width } <= room } ?? []
    }

    /// Puts them behind a title.
    ///
    /// - Parameters:
    ///   - edges: Of the box, with the title of the list that is seen.
    ///   - rect: Of the box.
    ///   - painter: Is told what a click on each means.
    func add(to edges: inout Painter.Edges, in rect: Rect, _ painter: inout Painter) {
        for tab in tabs {
            edges.title += .plain(String(repeating: " ", count: Self.gap))
            let x = edges.titleEnd(in: rect)
            edges.title += tab.text
            painter.noteTarget(.tab(tab.panel), Rect(x: x, y: rect.y, width: tab.text.width, height: 1))
        }
    }

    private static let gap = 2

    private static func word(_ panel: Panel) -> String {
        // Not "done", which the header says of those alone that ended well.
        panel == .finished ? "ended" : panel.title
    }

    private static func short(_ panel: Panel, _ count: String) -> String {
        switch panel {
        // They ended one way or another.
        case .finished: "#\(count)"
        case .failed: "✗\(count)"
        default: "\(panel.title) \(count)"
        }
    }

    /// As the header has them where it is narrow.
    private static func sign(_ panel: Panel, _ count: String) -> String {
        panel == .queued ? "\(count)q" : short(panel, count)
    }
}
