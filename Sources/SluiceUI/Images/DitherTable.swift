/// Which two colours of the palette stand for a colour, and how often each: ordered dithering, one look-up per pixel.
///
/// One colour alone would be a grey for all that is not strong, since the cube has few steps and the greys have many;
/// an equal offset to all channels changes nothing of that. The second colour is the nearest to the wanted one moved
/// away from the first by twice what that lacks, so that the two together have its hue.
enum DitherTable {
    /// A colour that one of the palette hits nearly stays plain.
    static func color(_ half: PixelInk.Half, x: Int, y: Int) -> Int32 {
        let pair = pairs[index(Int(half.red)) << 10 | index(Int(half.green)) << 5 | index(Int(half.blue))]
        return Int32(ranks[(y & 3) << 2 | x & 3] < pair.share ? pair.light : pair.dark)
    }

    private struct Pair {
        var dark: UInt8
        var light: UInt8
        /// Pixels of sixteen that have the lighter one.
        var share: UInt8
    }

    /// Bayer's matrix: the order in which the pixels of a square of sixteen get the lighter colour.
    private static let ranks: [UInt8] = [0, 8, 2, 10, 12, 4, 14, 6, 3, 11, 1, 9, 15, 7, 13, 5]

    /// Square of the distance between two colours that mix: a step of the cube's upper ones in each channel.
    private static let farthest = 3 * 40 * 40

    /// Of every colour in steps of five bits, black and white among them.
    private static let pairs: [Pair] = (0..<32_768).map { number in
        pair(level(number >> 10), level(number >> 5 & 31), level(number & 31))
    }

    private static func index(_ level: Int) -> Int { (level * 31 + 127) / 255 }
    private static func level(_ index: Int) -> Int { index * 255 / 31 }

    private static func pair(_ red: Int, _ green: Int, _ blue: Int) -> Pair {
        let near = PixelInk.nearest(red, green, blue)
        let (nearRed, nearGreen, nearBlue) = PaletteColor.rgb(near)
        let lack = (red: red - nearRed, green: green - nearGreen, blue: blue - nearBlue)
        func clamped(_ level: Int) -> Int { min(255, max(0, level)) }
        let far = PixelInk.nearest(
            clamped(red + lack.red * 2),
            clamped(green + lack.green * 2),
            clamped(blue + lack.blue * 2)
        )
        guard far != near else { return Pair(dark: UInt8(near), light: UInt8(near), share: 0) }
        let (farRed, farGreen, farBlue) = PaletteColor.rgb(far)
        let way = (red: farRed - nearRed, green: farGreen - nearGreen, blue: farBlue - nearBlue)
        let done = lack.red * way.red + lack.green * way.green + lack.blue * way.blue
        let whole = way.red * way.red + way.green * way.green + way.blue * way.blue
        // Two that lie further apart are seen as dots: the cube's first step is such a one, beside dark greys.
        guard whole <= farthest else { return Pair(dark: UInt8(near), light: UInt8(near), share: 0) }
        // How much of the way from the first colour to the second, in sixteenths.
        let share = min(16, max(0, (done * 16 + whole / 2) / whole))
        let isFarLighter =
            PixelInk.lightness(farRed, farGreen, farBlue) >= PixelInk.lightness(nearRed, nearGreen, nearBlue)
        return isFarLighter
            ? Pair(dark: UInt8(near), light: UInt8(far), share: UInt8(share))
            : Pair(dark: UInt8(far), light: UInt8(near), share: UInt8(16 - share))
    }
}
