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
