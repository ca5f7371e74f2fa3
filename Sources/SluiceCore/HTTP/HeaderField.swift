/// One header field, name and value as sent or received.
public struct HeaderField: Hashable, Sendable {
    /// As it was written; ``isNamed(_:)`` finds it whatever its case.
    public let name: String
    /// Invalid bytes of a received one are replaced.
    public let value: String
    /// A field of a name and a value; the order is that of the line.
    public init(_ name: String, _ value: String) { (self.name, self.value) = (name, value) }

    /// Whether a request with it asks for a part, or compares: 206 and 304 are answers to such a one.
    public var asksForPart: Bool {
        let name = name.lowercased()
        return name == "range" || name.hasPrefix("if-")
    }
}
