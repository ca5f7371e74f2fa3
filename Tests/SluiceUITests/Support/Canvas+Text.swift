import SluiceUI

extension Canvas {
    /// Its rows as lines of text.
    var text: String { (0..<height).map(row).joined(separator: "\n") }
}
