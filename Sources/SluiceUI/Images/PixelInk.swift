internal import SluiceCore

/// Paints pixels with what a terminal has: two to a cell in colours, or one sign by its brightness.
struct PixelInk: Sendable {
    enum Kind: Sendable {
        /// 24 bits.
        case trueColor
        /// Two of the 240 colours that no user changes, in a pattern; see ``DitherTable``.
        case palette
        /// Signs of growing density; for terminals with few colours, or none.
        case shades
        /// The same in ASCII.
        case ascii
    }

    let kind: Kind
    /// Set for what lies behind an overlay.
    private var hush: Hush?

    /// How a picture is there but quiet: in a few greys that stand near the ground, as dimmed text does.
    private struct Hush {
        /// Of signs, which have no colours of their own.
        var style: Style
        var isLight: Bool
    }

    init(depth: ColorDepth, isASCII: Bool, hasTrueColor: Bool) {
        kind =
            isASCII ? .ascii : depth != .palette256 ? .shades : hasTrueColor ? .trueColor : .palette
    }

    /// The same, quiet.
    ///
    /// - Parameters:
    ///   - style: Of dimmed text.
    ///   - isLight: Whether the ground is.
    /// - Returns: One that every picture can be painted with, in its shapes.
    func hushed(_ style: Style, isLight: Bool) -> PixelInk {
        var ink = self
        ink.hush = Hush(style: style, isLight: isLight)
        return ink
    }

    /// Half of a cell: its colour, or nothing where there is no picture.
    struct Half: Equatable, Sendable {
        var red: UInt8
        var green: UInt8
        var blue: UInt8
    }

    /// Paints a cell with two halves.
    ///
    /// - Parameters:
    ///   - upper: Its upper half.
    ///   - lower: Its lower half.
    ///   - x: The column of the cell, by which its place in a pattern is found.
    ///   - y: Its row, likewise.
    /// - Returns: Its sign and style.
    func cell(_ upper: Half?, _ lower: Half?, x: Int, y: Int) -> (character: Character, style: Style) {
        switch kind {
        case .trueColor, .palette:
            switch (upper.map { color($0, x: x, y: y * 2) }, lower.map { color($0, x: x, y: y * 2 + 1) }) {
            case (nil, nil): return (" ", .plain)
            case (let top?, nil): return ("▀", Style(foreground: top))
            case (nil, let bottom?): return ("▄", Style(foreground: bottom))
            case (let top?, let bottom?): return ("▀", Style(foreground: top, background: bottom))
            }
        case .shades, .ascii:
            let halves = [upper, lower].compactMap(\.self)
            guard !halves.isEmpty else { return (" ", .plain) }
            let signs: [Character] = kind == .ascii ? Array(" .:-=+*%#@") : Array(" ░▒▓█")
            let light = halves.map(Self.brightness).reduce(0, +) / 2
            return (signs[min(signs.count - 1, light * signs.count / 256)], hush?.style ?? .plain)
        }
    }

    private func color(_ half: Half, x: Int, y: Int) -> Int32 {
        if let hush {
            // Greys of the palette on every terminal: few of them, so that long runs need no new colour.
            let step = Int32(Self.brightness(half) * Self.quietGreys / 256)
            return hush.isLight ? 256 - Int32(Self.quietGreys) + step : 233 + step
        }
        return kind == .trueColor
            ? Style.trueColor(red: half.red, green: half.green, blue: half.blue)
            : DitherTable.color(half, x: x, y: y)
    }

    private static let quietGreys = 7

    private static func brightness(_ half: Half) -> Int {
        lightness(Int(half.red), Int(half.green), Int(half.blue))
    }

    /// The brightness of a colour; all of them are in `0...255`.
    static func lightness(_ red: Int, _ green: Int, _ blue: Int) -> Int {
        (red * 54 + green * 183 + blue * 19) >> 8
    }

    /// The index of the cube of 216 colours, or of the 24 greys, that is nearest.
    static func nearest(_ red: Int, _ green: Int, _ blue: Int) -> Int32 {
        func step(_ value: Int) -> Int { value < 48 ? 0 : value < 115 ? 1 : min(5, (value - 35) / 40) }
        func level(_ step: Int) -> Int { step == 0 ? 0 : 55 + step * 40 }
        func distance(_ r: Int, _ g: Int, _ b: Int) -> Int {
            // The eye is keenest for green.
            (r - red) * (r - red) * 3 + (g - green) * (g - green) * 6 + (b - blue) * (b - blue)
        }
        let (r, g, b) = (step(red), step(green), step(blue))
        let grey = min(23, max(0, ((red + green + blue) / 3 - 3) / 10))
        let shade = 8 + grey * 10
        let isGrey = distance(shade, shade, shade) < distance(level(r), level(g), level(b))
        return Int32(isGrey ? 232 + grey : 16 + 36 * r + 6 * g + b)
    }
}
