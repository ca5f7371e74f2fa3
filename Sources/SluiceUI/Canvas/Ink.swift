/// What a colour is for; which colour that is, only ``Theme`` knows.
enum Role: UInt8, CaseIterable, Sendable {
    case fg
    /// What the eye should land on: figures, titles.
    case bright
    /// Units, labels, hosts, reasons.
    case dim
    /// Lines, never text.
    case frame
    /// The empty part of bars, never text.
    case track
    /// The focused frame and row, the ACTIVE pill.
    case focus
    /// Keys, panel digits, the prompt, hits.
    case accent
    case ok
    case run
    case wait
    case bad
    case merge
    case purge
    /// The ground of a selected row.
    case select
    /// Text on a pill, a flash or a banner.
    case ink
}

/// Colours by degree, twelve steps each.
enum Gradient: UInt8, CaseIterable, Sendable {
    /// Task bars.
    case run
    /// Countdowns.
    case wait
    /// Throughput.
    case net
    /// Levels of the cache.
    case zone

    static let steps = 12
}

/// How a piece of text looks, by role.
struct Ink: Hashable, Sendable {
    enum Color: Hashable, Sendable {
        case role(Role)
        /// `0..<12`
        case step(Gradient, Int)
    }
    var color: Color
    var isBold = false
    /// `nil` keeps the ground that the cell has.
    var ground: Role?

    init(_ role: Role, bold: Bool = false, on ground: Role? = nil) {
        (color, isBold, self.ground) = (.role(role), bold, ground)
    }

    init(_ gradient: Gradient, _ step: Int) {
        color = .step(gradient, min(max(step, 0), Gradient.steps - 1))
    }
}

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

    /// Every piece in one ink, as on a flash.
    func inked(_ role: Role) -> StyledText {
        var copy = self
        for index in copy.spans.indices { copy.spans[index].ink.color = .role(role) }
        return copy
    }
}
