internal import SluiceTestSupport

/// The panel of queued tasks, read off the screen as a user reads it.
struct QueueScreen {
    /// Tasks that wait, by the panel's title; `nil` before it has one.
    let count: Int?
    /// Of the selected row, from 1; `nil` while none is marked.
    let position: Int?
    /// The name in the selected row; `nil` while the row is not known yet.
    let name: String?

    init(_ screen: ScreenEmulator) {
        // Cells first: the text of a whole screen costs more than the program takes to answer a key.
        func text(_ y: Int) -> String { (0..<screen.width).map { screen.cell(x: $0, y: y).text }.joined() }
        let rows = (0..<screen.height)
        let title = rows.first { screen.cell(x: 0, y: $0).text == "╭" && text($0).contains(" queued ") }
        count = title.flatMap { Self.number(in: text($0), before: "fifo") }
        let mark = rows.first { screen.cell(x: 1, y: $0).text == "▌" }.map { text($0).dropFirst(2) }
        let words = mark?.split(separator: " ") ?? []
        position = words.first.flatMap { Int($0) }
        name = words.count > 1 && words[1] != "…" ? String(words[1]) : nil
    }

    /// The `99,996` of `99,996 · fifo`.
    private static func number(in row: String, before word: String) -> Int? {
        let words = row.split(separator: " ")
        guard let index = words.firstIndex(of: Substring(word)), index >= 2 else { return nil }
        return Int(words[index - 2].filter(\.isNumber))
    }
}
