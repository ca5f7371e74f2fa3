/// How a cell looks, resolved: colours and attributes, no roles and no themes.
public struct Style: Hashable, Sendable {
    /// What a terminal does to a character besides its colours.
    public struct Attributes: OptionSet, Hashable, Sendable {
        /// One bit for each attribute.
        public let rawValue: UInt8
        /// A set of attributes, as bits.
        public init(rawValue: UInt8) { self.rawValue = rawValue }
        /// Brighter or heavier, as the terminal likes.
        public static let bold = Attributes(rawValue: 1)
        /// Fainter; some terminals don't show it.
        public static let dim = Attributes(rawValue: 2)
        /// Foreground and background change places.
        public static let reverse = Attributes(rawValue: 4)
        /// A line below.
        public static let underline = Attributes(rawValue: 8)
    }

    /// A colour: an index of the 256-colour palette (`0...15` where the terminal has no more), −1 for the terminal's
    /// own, or a true colour of ``trueColor(red:green:blue:)``, for pictures on terminals that have them.
    public var foreground: Int32
    /// As ``foreground``.
    public var background: Int32
    /// None for plain text.
    public var attributes: Attributes

    /// The terminal's own colours, and no attributes, unless told otherwise.
    public init(foreground: Int32 = -1, background: Int32 = -1, attributes: Attributes = []) {
        (self.foreground, self.background, self.attributes) = (foreground, background, attributes)
    }

    /// Text as the terminal shows it by itself.
    public static let plain = Style()

    /// A colour as `0xRRGGBB`, at least 256: below are the indices, so that the darkest blues get a trace of green.
    public static func trueColor(red: UInt8, green: UInt8, blue: UInt8) -> Int32 {
        let color = Int32(red) << 16 | Int32(green) << 8 | Int32(blue)
        return color < 256 ? color | 256 : color
    }
}
