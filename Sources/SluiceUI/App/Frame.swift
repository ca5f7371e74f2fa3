/// One picture of the screen.
public struct Frame: Equatable, Sendable {
    /// All cells of the screen.
    public var canvas: Canvas
    /// Where the cursor blinks, or `nil` to hide it.
    public var cursor: Cursor?
    /// The terminal's title, printable characters only; `nil` leaves it.
    public var title: String?
    /// Whether the terminal's own progress mark is on (OSC 9;4).
    public var showsActivity: Bool
    /// What the terminal draws behind the cells that stand for it, where it can.
    public var picture: PixelPicture?

    /// A place on the screen.
    public struct Cursor: Equatable, Sendable {
        /// Column, from 0.
        public var x: Int
        /// Row, from 0.
        public var y: Int
        /// The cell that the cursor stands on.
        public init(x: Int, y: Int) { (self.x, self.y) = (x, y) }
    }

    /// What is on screen; a picture is put in by who draws one.
    public init(canvas: Canvas, cursor: Cursor? = nil, title: String? = nil, showsActivity: Bool = false) {
        (self.canvas, self.cursor, self.title, self.showsActivity) = (canvas, cursor, title, showsActivity)
    }
}
