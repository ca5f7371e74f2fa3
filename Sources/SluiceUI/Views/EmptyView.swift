internal import SluiceCore

/// What the active panel shows before anything was asked for: the name, and four ways to begin.
enum EmptyView {
    private static let logo = [
        "### #   # # # ### ###", "#   #   # # # #   #  ", "### #   # # # #   ## ", "  # #   # # # #   #  ",
        "### ### ### # ### ###", "                     ",
    ]
    /// What is typed, what it does, and the same in fewer words; the last one is typed elsewhere.
    private static let ways: [(sign: StyledText, what: String, brief: String)] = [
        (typed("https://site.example/a.jpg"), "one URL, or a text that holds some", "a URL, or a text with some"),
        (typed("https://site.example/[001-040].jpg"), "a numbered series: 40 URLs", "a series: 40 URLs"),
        (typed("@urls.txt"), "a list, one URL a line", "a list of URLs"),
        (.dim("in a shell: ") + typed("sluice demo"), "a tour that needs no network", "a tour without network"),
    ]

    private static func typed(_ text: String) -> StyledText { StyledText(text, .accent) }

    static func isShown(_ state: AppState) -> Bool {
        let counts = state.snapshot.counts
        return state.replay == nil && counts.requests == 0 && counts.tasks == 0 && state.liveTasks == 0
            && state.news.lingering.isEmpty
            && state.snapshot.backlog == 0
    }

    static func draw(in rect: Rect, _ painter: inout Painter) {
        let rows = rect.height - 2
        guard rect.width >= 70, rows >= 8 else { return drawShort(in: rect, &painter) }
        let left = rect.x + 4
        let top = rect.y + (rows >= 10 ? 2 : 1)
        drawLogo(x: left, y: top, &painter)
        let text = left + 26
        let room = rect.right - 1 - text
        painter.put(.figure("Paste or type URLs below, then Enter."), x: text, y: top, limit: room)
        let rest = "Equal ones merge into one download; images are decoded and cached, files are saved."
        for (index, line) in TextWrap.lines(rest, columns: room - 1, limit: 2).enumerated() {
            painter.put(.dim(line), x: text, y: top + 1 + index, limit: room)
        }
        for (index, way) in ways.enumerated() {
            let y = top + 4 + index
            guard y < rect.bottom - 1 else { return }
            let end = painter.put(way.sign, x: left, y: y, limit: rect.right - 1 - left)
            let column = max(left + 36, end + 2)
            painter.put(fitting: .dim(way.what), x: column, y: y, limit: rect.right - 2 - column)
        }
    }

    private static func drawShort(in rect: Rect, _ painter: inout Painter) {
        func first(_ choices: [StyledText]) -> StyledText {
            choices.first { $0.width <= rect.width - 4 } ?? choices.last ?? StyledText()
        }
        let heading = first([
            .figure("Paste or type URLs below, then Enter."), .figure("Type or paste URLs, then Enter."),
        ])
        let lines =
            [heading]
            + ways.map { way in
                first([way.sign + .dim("  \(way.what)"), way.sign + .dim("  \(way.brief)"), way.sign])
            }
        for (index, line) in lines.prefix(max(0, rect.height - 2)).enumerated() {
            painter.put(fitting: line, x: rect.x + 2, y: rect.y + 1 + index, limit: rect.width - 4)
        }
    }

    private static func drawLogo(x: Int, y: Int, _ painter: inout Painter) {
        let bits = logo.map { Array($0) }
        for row in stride(from: 0, to: 6, by: 2) {
            for column in 0..<21 {
                let character =
                    switch (bits[row][column] == "#", bits[row + 1][column] == "#") {
                    case (true, true): "█"
                    case (true, false): "▀"
                    case (false, true): "▄"
                    case (false, false): " "
                    }
                painter.put(StyledText(character, Ink(.net, 3 + column * 9 / 21)), x: x + column, y: y + row / 2)
            }
        }
    }
}
