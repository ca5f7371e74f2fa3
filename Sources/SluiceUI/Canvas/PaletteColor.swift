/// Colours as people write them, and the nearest that a palette has.
enum PaletteColor {
    /// `#rrggbb` or `0…255`; `default` is the terminal's own.
    ///
    /// - Returns: `nil` for anything else.
    static func index(_ text: String) -> Int32? {
        if text == "default" { return -1 }
        if let number = Int32(text), (0...255).contains(number) { return number }
        guard text.hasPrefix("#"), text.utf8.count == 7, let value = UInt32(text.dropFirst(), radix: 16) else {
            return nil
        }
        return nearest(Int(value >> 16), Int(value >> 8 & 0xFF), Int(value & 0xFF))
    }

    /// Of the colour cube and the greys; the first sixteen are the user's own, and could be anything.
    static func nearest(_ red: Int, _ green: Int, _ blue: Int) -> Int32 {
        var best: (index: Int32, distance: Int) = (16, .max)
        for index in Int32(16)...255 {
            let (r, g, b) = rgb(index)
            let distance = (r - red) * (r - red) * 3 + (g - green) * (g - green) * 6 + (b - blue) * (b - blue)
            if distance < best.distance { best = (index, distance) }
        }
        return best.index
    }

    /// The levels of an index in `16...255`.
    static func rgb(_ index: Int32) -> (Int, Int, Int) {
        if index >= 232 {
            let grey = 8 + 10 * (Int(index) - 232)
            return (grey, grey, grey)
        }
        let levels = [0, 95, 135, 175, 215, 255]
        let cube = Int(index) - 16
        return (levels[cube / 36 % 6], levels[cube / 6 % 6], levels[cube % 6])
    }

    /// What stands for an index where there are sixteen colours, as xterm has them.
    static func sixteen(nearest index: Int32) -> Int32 {
        guard index >= 16 else { return index }
        let (red, green, blue) = rgb(index)
        let strong = max(red, green, blue)
        if strong < 64 { return 0 }
        if max(red, green, blue) - min(red, green, blue) < 40 { return strong > 200 ? 15 : strong > 120 ? 7 : 8 }
        var color: Int32 = strong > 200 ? 8 : 0
        if red * 3 > strong * 2 { color |= 1 }
        if green * 3 > strong * 2 { color |= 2 }
        if blue * 3 > strong * 2 { color |= 4 }
        return color
    }
}
