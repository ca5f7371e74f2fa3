internal import SluiceCore

/// Writes numbers into bitmaps, three by five dots a digit.
enum DigitFont {
    private static let glyphs: [Character: [Int]] = [
        "0": [7, 5, 5, 5, 7], "1": [2, 6, 2, 2, 7], "2": [7, 1, 7, 4, 7], "3": [7, 1, 7, 1, 7], "4": [5, 5, 7, 1, 1],
        "5": [7, 4, 7, 1, 7], "6": [7, 4, 7, 5, 7], "7": [7, 1, 1, 2, 2], "8": [7, 5, 7, 5, 7], "9": [7, 5, 7, 1, 7],
        "/": [1, 1, 2, 4, 4],
    ]

    /// Writes dark dots over RGBA pixels; what does not fit is cut, and other characters are left out.
    static func write(_ text: String, into pixels: inout [UInt8], width: Int, x: Int, y: Int, size: Int) {
        let height = pixels.count / 4 / max(1, width)
        for (index, character) in text.enumerated() {
            guard let glyph = glyphs[character] else { continue }
            for dot in 0..<15 where glyph[dot / 3] >> (2 - dot % 3) & 1 == 1 {
                let (left, top) = (x + (index * 4 + dot % 3) * size, y + dot / 3 * size)
                for row in top..<top + size where row < height {
                    for column in left..<left + size where column < width {
                        for channel in 0..<3 { pixels[(row * width + column) * 4 + channel] = 60 }
                    }
                }
            }
        }
    }
}
