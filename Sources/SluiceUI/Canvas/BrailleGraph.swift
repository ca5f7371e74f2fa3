/// A history in braille: two samples a cell, four dots a row, the newest at the right.
struct BrailleGraph {
    /// Oldest first; `nil` where nothing was measured.
    var values: [Double?]
    var low: Double
    var high: Double
    var gradient: Gradient
    /// For levels: the value of the whole scale, so that a level has the colour it has in the gauge.
    var scale: Double?

    /// Draws into `rect`; samples beyond it are not shown.
    func draw(in rect: Rect, _ painter: inout Painter) {
        guard rect.width > 0, rect.height > 0, high > low else { return }
        let recent = values.suffix(rect.width * 2)
        let missing = rect.width * 2 - recent.count
        let samples = Array(repeating: Double?.none, count: missing) + recent
        for column in 0..<rect.width {
            let pair = (samples[2 * column], samples[2 * column + 1])
            guard let peak = [pair.0, pair.1].compactMap({ $0 }).max() else {
                if 2 * column >= missing { painter.put(.dim("┄"), x: rect.x + column, y: rect.bottom - 1) }
                continue
            }
            let heights = (dots(pair.0, rect.height), dots(pair.1, rect.height))
            for row in 0..<rect.height {
                let base = (rect.height - 1 - row) * 4
                let bits = Self.left(heights.0 - base) | Self.right(heights.1 - base)
                guard bits != 0, let scalar = Unicode.Scalar(0x2800 + bits) else { continue }
                let ink = ink(row: row, of: rect.height, peak: peak)
                painter.put(StyledText(String(Character(scalar)), ink), x: rect.x + column, y: rect.y + row)
            }
        }
    }

    /// At least one where there is a sample, so that nothing and zero differ.
    private func dots(_ value: Double?, _ rows: Int) -> Int {
        guard let value, value.isFinite else { return 0 }
        let height = Double(rows * 4)
        return Int(min(max(((value - low) / (high - low) * height).rounded(), 1), height))
    }

    private func ink(row: Int, of rows: Int, peak: Double) -> Ink {
        if let scale {
            let level = low + (high - low) * (Double(rows - row) - 0.5) / Double(rows)
            return Ink(gradient, Int(level / scale * Double(Gradient.steps)))
        }
        let top = Double(Gradient.steps - 1)
        if rows > 1 { return Ink(gradient, Int((Double(rows - 1 - row) / Double(rows - 1) * top).rounded())) }
        return Ink(gradient, Int(((peak - low) / (high - low) * top).rounded()))
    }

    private static func left(_ dots: Int) -> UInt32 {
        [0, 0x40, 0x44, 0x46, 0x47][min(max(dots, 0), 4)]
    }

    private static func right(_ dots: Int) -> UInt32 {
        [0, 0x80, 0xA0, 0xB0, 0xB8][min(max(dots, 0), 4)]
    }
}
