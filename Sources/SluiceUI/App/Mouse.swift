internal import SluiceCore

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

    /// A press on a cell, and when.
    struct Click: Equatable, Sendable {
        /// In cells, from 0.
        let x: Int
        /// In cells, from 0.
        let y: Int
        let time: Timestamp

        /// Whether both make a double click.
        func isSecond(after first: Click) -> Bool {
            x == first.x && y == first.y && time - first.time < .milliseconds(500)
        }
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
