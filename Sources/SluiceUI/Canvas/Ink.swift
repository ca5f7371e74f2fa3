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
