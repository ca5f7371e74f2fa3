/// A rectangle of cells.
struct Rect: Equatable, Sendable {
    var x: Int
    var y: Int
    var width: Int
    var height: Int

    /// One past the last column.
    var right: Int { x + width }
    /// One past the last row.
    var bottom: Int { y + height }
}
