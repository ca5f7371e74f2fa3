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
        let rows = screen.rows
        count = rows.lazy.compactMap { Self.number(in: $0, before: "fifo") }.first
        let mark = rows.lazy.filter { $0.hasPrefix("│▌") }.first?.dropFirst(2)
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
