extension UInt8 {
    /// Whether it may stand in a token, such as the name of a field.
    ///
    /// - SeeAlso: RFC 9110 §5.6.2
    package var isTokenByte: Bool {
        switch self {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: "!#$%&'*+-.^_`|~".utf8.contains(self)
        }
    }
}

extension StringProtocol {
    /// Whether it is a token, such as a method or the name of a field.
    ///
    /// - SeeAlso: RFC 9110 §5.6.2
    package var isToken: Bool { !isEmpty && utf8.allSatisfy(\.isTokenByte) }
}
