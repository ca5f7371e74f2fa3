/// The lines that were entered, oldest first, and the place of somebody who leafs through them.
///
/// Keeps the unfinished line as a draft while leafing. Holds no line twice, and no
/// credentials: see ``URLText/withoutCredentials(_:)``.
struct PromptHistory: Equatable, Sendable {
    static let limit = 500

    private(set) var lines: [String]
    /// Index of the line shown; `nil` while the draft is.
    private var place: Int?
    private var draft = ""

    init(_ lines: [String] = []) {
        self.lines = []
        for line in lines.suffix(Self.limit) { add(line) }
    }

    /// Appends a line, or moves it to the end.
    mutating func add(_ line: String) {
        place = nil
        let line = URLText.withoutCredentials(line).split(separator: " ").joined(separator: " ")
        guard !line.isEmpty else { return }
        lines.removeAll { $0 == line }
        lines.append(line)
        if lines.count > Self.limit { lines.removeFirst(lines.count - Self.limit) }
    }

    /// The line before the one shown, or `nil` at the oldest.
    mutating func older(than text: String) -> String? {
        if place == nil { draft = text }
        let next = (place ?? lines.count) - 1
        guard lines.indices.contains(next) else { return nil }
        place = next
        return lines[next]
    }

    /// The line after the one shown, at last the draft, or `nil` if that is shown.
    mutating func newer() -> String? {
        guard let place else { return nil }
        guard lines.indices.contains(place + 1) else {
            self.place = nil
            return draft
        }
        self.place = place + 1
        return lines[place + 1]
    }

    /// The newest line that holds a text, at an index or before it.
    func last(containing text: String, upTo index: Int) -> (index: Int, line: String)? {
        guard index >= 0 else { return nil }
        let text = text.lowercased()
        let found = lines.indices.prefix(min(index, lines.count - 1) + 1).last { lines[$0].lowercased().contains(text) }
        return found.map { ($0, lines[$0]) }
    }

    /// Whether a line of it is shown, behind which the draft comes back.
    var isShown: Bool { place != nil }

    /// Forgets the place, since the line was changed or left.
    mutating func leave() { place = nil }
}
