/// A number of a JSON text that is no whole one, or too large for an `Int`.
///
/// - SeeAlso: RFC 8259 §6
public struct JSONNumber: Equatable, Sendable {
    /// The nearest there is; finite.
    public let value: Double
    /// As it was written: whoever gets it back knows it by that.
    public let text: String

    init(_ value: Double, text: String) { (self.value, self.text) = (value, text) }

    /// Whether it has neither point nor exponent, and is only too large.
    public var isWhole: Bool { !text.contains { ".eE".contains($0) } }

    /// Two are equal if their values are.
    public static func == (left: JSONNumber, right: JSONNumber) -> Bool { left.value == right.value }
}

extension JSONNumber: ExpressibleByFloatLiteral {
    /// Written as Swift writes it.
    public init(floatLiteral value: Double) { self.init(value, text: "\(value)") }
}
