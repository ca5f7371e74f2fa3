/// The thin bars of tasks, and the one solid gauge on the screen.
extension Painter {
    /// A thin bar in half-cell steps, which never melts into the row above or below.
    ///
    /// The fraction is in `0...1`; if it is unknown, a short stretch is lit.
    mutating func bar(_ fraction: Double?, x: Int, y: Int, width: Int, gradient: Gradient = .run) {
        guard width > 0 else { return }
        guard let fraction else { return unknownBar(x: x, y: y, width: width) }
        let halves = Int((min(max(fraction, 0), 1) * Double(width * 2)).rounded())
        for index in 0..<width {
            let ink = Ink(gradient, index * Gradient.steps / width)
            if 2 * index + 2 <= halves {
                put(StyledText("━", ink), x: x + index, y: y)
            } else if 2 * index + 1 <= halves {
                put(StyledText("╸", ink), x: x + index, y: y)
            } else {
                put(StyledText(glyphs.track, .track), x: x + index, y: y)
            }
        }
    }

    private mutating func unknownBar(x: Int, y: Int, width: Int) {
        for index in 0..<width {
            let distance = abs(Double(index) - 0.4 * Double(width))
            if distance < 2 {
                put(StyledText("━", Ink(.run, 9 - Int(distance * 4))), x: x + index, y: y)
            } else {
                put(StyledText(glyphs.track, .track), x: x + index, y: y)
            }
        }
    }

    /// The level of the cache in eighths of a cell.
    ///
    /// `ghost` is the level before the purge, shown hatched for the second after it.
    mutating func gauge(_ fraction: Double, ghost: Double?, x: Int, y: Int, width: Int) {
        guard width > 0 else { return }
        let eighths = Int((min(max(fraction, 0), 1) * Double(width * 8)).rounded())
        for index in 0..<width {
            let filled = min(max(eighths - index * 8, 0), 8)
            var ink = Ink(.zone, index * Gradient.steps / width)
            let track: Role? = glyphs.hasGaugeGround ? .track : nil
            if filled == 8 {
                put(StyledText("█", ink), x: x + index, y: y)
            } else if filled > 0 {
                ink.ground = track
                put(StyledText(Self.eighths[filled], ink), x: x + index, y: y)
            } else if let ghost, Double(index) < ghost * Double(width) {
                put(StyledText("▒", .purge, on: track), x: x + index, y: y)
            } else {
                put(StyledText(glyphs.gaugeTrack, .track, on: track), x: x + index, y: y)
            }
        }
    }

    private static let eighths = [" ", "▏", "▎", "▍", "▌", "▋", "▊", "▉", "█"]
}
