/// What the mouse did, where.
public struct Mouse: Equatable, Sendable {
    /// What was done; what terminals report beyond that is left out.
    public enum Kind: Equatable, Sendable {
        /// The left button went down.
        case press
        /// One notch, away from the user.
        case wheelUp
        /// One notch, towards the user.
        case wheelDown
    }
    /// What was done.
    public var kind: Kind
    /// In cells, from 0.
    public var x: Int
    /// In cells, from 0.
    public var y: Int

    /// What was done, and on which cell.
    public init(_ kind: Kind, x: Int, y: Int) { (self.kind, self.x, self.y) = (kind, x, y) }
}

/// A part of the last frame that a click means something on; noted while it is drawn.
struct MouseTarget: Equatable, Sendable {
    enum Meaning: Equatable, Sendable {
        case panel(Panel)
        /// Index among the rows of the active panel.
        case active(Int)
        /// From 1.
        case queued(Int)
        case event(seq: Int)
        case purge(Int)
        case finished(seq: Int)
        /// Index among the rows of the failed panel.
        case failed(Int)
        case receipt(Int)
        case prompt
        /// A key of the hint bar.
        case action(KeyAction)
    }
    var rect: Rect
    var meaning: Meaning

    func contains(_ x: Int, _ y: Int) -> Bool {
        x >= rect.x && x < rect.right && y >= rect.y && y < rect.bottom
    }
}
