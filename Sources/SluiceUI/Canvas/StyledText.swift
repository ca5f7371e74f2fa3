/// Text in pieces of different ink.
struct StyledText: Sendable {
    struct Span: Sendable {
        var text: String
        var ink: Ink
    }
    var spans: [Span] = []

    init() {}
    init(_ text: String, _ ink: Ink) { spans = [Span(text: text, ink: ink)] }
    init(_ text: String, _ role: Role, bold: Bool = false, on ground: Role? = nil) {
        self.init(text, Ink(role, bold: bold, on: ground))
    }

    /// In columns.
    var width: Int { spans.reduce(0) { $0 + TextWidth.columns(of: $1.text) } }
    var isEmpty: Bool { spans.isEmpty }

    static func plain(_ text: String) -> StyledText { StyledText(text, .fg) }
    static func dim(_ text: String) -> StyledText { StyledText(text, .dim) }
    static func bright(_ text: String) -> StyledText { StyledText(text, .bright) }
    /// A figure or title.
    static func figure(_ text: String) -> StyledText { StyledText(text, .bright, bold: true) }
    static func bold(_ text: String, _ role: Role) -> StyledText { StyledText(text, role, bold: true) }

    /// The number in `role`, the unit dim, so that the digits carry the column.
    static func figure(_ figure: Format.Figure, _ role: Role = .fg, bold: Bool = false) -> StyledText {
        StyledText(figure.number, role, bold: bold) + .dim(" \(figure.unit)")
    }

    static func + (left: StyledText, right: StyledText) -> StyledText {
        var sum = left
        sum.spans += right.spans
        return sum
    }

    static func += (left: inout StyledText, right: StyledText) { left.spans += right.spans }

    /// The longest start that fits, cut as ``Elision`` cuts.
    func prefix(columns limit: Int) -> StyledText {
        var start = StyledText()
        var left = limit
        for span in spans {
            let columns = TextWidth.columns(of: span.text)
            guard columns <= left else {
                start += StyledText(Elision.prefix(of: span.text, columns: left), span.ink)
                break
            }
            start.spans.append(span)
            left -= columns
        }
        return start
    }

    /// Broken between words as ``TextWrap`` breaks, each piece in the ink that it has; itself where it has room.
    ///
    /// - Parameter limit: Columns of a line. `1...`
    /// - Returns: One line at least, but for blanks alone that have no room.
    func lines(columns limit: Int) -> [StyledText] {
        guard width > limit else { return [self] }
        let signs = spans.flatMap { span in span.text.unicodeScalars.map { (scalar: $0, ink: span.ink) } }
        var place = 0
        return TextWrap.lines(spans.map(\.text).joined(), columns: limit).map { line in
            var pieces = StyledText()
            for scalar in line.unicodeScalars {
                // Blanks at a break are left out.
                while place < signs.count - 1, signs[place].scalar != scalar, signs[place].scalar == " " { place += 1 }
                guard place < signs.count else { break }
                let ink = signs[place].ink
                if pieces.spans.last?.ink != ink { pieces.spans.append(Span(text: "", ink: ink)) }
                pieces.spans[pieces.spans.count - 1].text.unicodeScalars.append(scalar)
                place += 1
            }
            return pieces
        }
    }

    /// Every piece in one ink, as on a flash.
    func inked(_ role: Role) -> StyledText {
        var copy = self
        for index in copy.spans.indices { copy.spans[index].ink.color = .role(role) }
        return copy
    }
}
