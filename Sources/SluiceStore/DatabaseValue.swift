/// What is bound to a parameter of a statement.
public enum DatabaseValue: Equatable, Sendable {
    case null
    case integer(Int64)
    case text(String)
    case blob([UInt8])

    /// `NULL` for `nil`.
    public init(_ text: String?) { self = text.map { .text($0) } ?? .null }
    /// `NULL` for `nil`.
    public init(_ number: Int?) { self = number.map { .integer(Int64($0)) } ?? .null }
}

extension DatabaseValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByNilLiteral {
    public init(stringLiteral text: String) { self = .text(text) }
    public init(integerLiteral number: Int64) { self = .integer(number) }
    public init(nilLiteral: ()) { self = .null }
}
