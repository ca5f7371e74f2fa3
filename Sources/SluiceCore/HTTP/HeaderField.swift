/// One header field, name and value as sent or received.
public struct HeaderField: Hashable, Sendable {
    /// As it was written; ``isNamed(_:)`` finds it whatever its case.
    public let name: String
    /// Invalid bytes of a received one are replaced.
    public let value: String
    /// A field of a name and a value; the order is that of the line.
    public init(_ name: String, _ value: String) { (self.name, self.value) = (name, value) }

    /// By their bytes, which are what is sent.
    public static func == (left: HeaderField, right: HeaderField) -> Bool {
        left.name.hasSameBytes(as: right.name) && left.value.hasSameBytes(as: right.value)
    }

    /// A field that a request may send; blanks around its value are no part of it.
    ///
    /// - Throws: ``HeaderFieldError`` where it would not be one field, or would frame the request another way than it is sent.
    /// - SeeAlso: RFC 9110 §5.5 and §5.6.2, RFC 9112 §6
    public init(checking name: String, _ value: String) throws(HeaderFieldError) {
        guard name.isToken else { throw .name }
        if value.utf8.contains(where: { $0 < 32 && $0 != 9 || $0 == 127 }) { throw .value }
        if ["content-length", "transfer-encoding"].contains(name.lowercased()) { throw .framing }
        if name.lowercased() == "expect", value.contains(where: { $0 != " " && $0 != "\t" }) { throw .expectation }
        let isBlank: (Character) -> Bool = { $0 == " " || $0 == "\t" }
        let start = value.firstIndex { !isBlank($0) } ?? value.endIndex
        let end = value.lastIndex { !isBlank($0) }.map { value.index(after: $0) } ?? start
        self.init(name, String(value[start..<end]))
    }

    /// Whether a request with it asks for a part, or compares: 206 and 304 are answers to such a one.
    public var asksForPart: Bool {
        let name = name.lowercased()
        return name == "range" || name.hasPrefix("if-")
    }
}
