/// A part of the last frame that a click means something on; noted while it is drawn.
struct MouseTarget: Equatable, Sendable {
    enum Meaning: Equatable, Sendable {
        case panel(Panel)
        /// A list that shares its place with the one that is seen.
        case tab(Panel)
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
        /// Index among the images of the gallery.
        case tile(Int)
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
