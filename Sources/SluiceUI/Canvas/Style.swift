/// How a cell looks, resolved: palette indices and attributes, no roles and no themes.
public struct Style: Hashable, Sendable {
    public struct Attributes: OptionSet, Hashable, Sendable {
        public let rawValue: UInt8
        public init(rawValue: UInt8) { self.rawValue = rawValue }
        public static let bold = Attributes(rawValue: 1)
        public static let dim = Attributes(rawValue: 2)
        public static let reverse = Attributes(rawValue: 4)
        public static let underline = Attributes(rawValue: 8)
    }

    /// An index of the 256-colour palette (`0...15` where the terminal has no more), or −1 for the terminal's own.
    public var foreground: Int16
    /// As ``foreground``.
    public var background: Int16
    public var attributes: Attributes

    public init(foreground: Int16 = -1, background: Int16 = -1, attributes: Attributes = []) {
        (self.foreground, self.background, self.attributes) = (foreground, background, attributes)
    }

    public static let plain = Style()
}
