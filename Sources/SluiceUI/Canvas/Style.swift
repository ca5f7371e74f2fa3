/// How a cell looks, resolved: colours and attributes, no roles and no themes.
public struct Style: Hashable, Sendable {
    public struct Attributes: OptionSet, Hashable, Sendable {
        public let rawValue: UInt8
        public init(rawValue: UInt8) { self.rawValue = rawValue }
        public static let bold = Attributes(rawValue: 1)
        public static let dim = Attributes(rawValue: 2)
        public static let reverse = Attributes(rawValue: 4)
        public static let underline = Attributes(rawValue: 8)
    }

    /// A colour: an index of the 256-colour palette (`0...15` where the terminal has no more), −1 for the terminal's
    /// own, or a true colour of ``trueColor(red:green:blue:)``, for pictures on terminals that have them.
    public var foreground: Int32
    /// As ``foreground``.
    public var background: Int32
    public var attributes: Attributes

    public init(foreground: Int32 = -1, background: Int32 = -1, attributes: Attributes = []) {
        (self.foreground, self.background, self.attributes) = (foreground, background, attributes)
    }

    public static let plain = Style()

    /// A colour as `0xRRGGBB`, at least 256: below are the indices, so that the darkest blues get a trace of green.
    public static func trueColor(red: UInt8, green: UInt8, blue: UInt8) -> Int32 {
        let color = Int32(red) << 16 | Int32(green) << 8 | Int32(blue)
        return color < 256 ? color | 256 : color
    }
}
