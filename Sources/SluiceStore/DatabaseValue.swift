/// What is bound to a parameter of a statement.
package enum DatabaseValue: Equatable, Sendable {
    /// `NULL`.
    case null
    case integer(Int64)
    /// Stored as UTF-8.
    case text(String)
    /// Stored as it is; an empty one is no `NULL`.
    case blob([UInt8])

    /// Of a text or blob.
    var byteCount: Int {
        switch self {
        case .null, .integer: 0
        case .text(let text): text.utf8.count
        case .blob(let bytes): bytes.count
        }
    }

    /// `NULL` for `nil`.
    package init(_ text: String?) { self = text.map { .text($0) } ?? .null }
    /// `NULL` for `nil`.
    package init(_ number: Int?) { self = number.map { .integer(Int64($0)) } ?? .null }
}

extension DatabaseValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByNilLiteral {
    /// For texts that stand in the code.
    package init(stringLiteral text: String) { self = .text(text) }
    /// For numbers that stand in the code.
    package init(integerLiteral number: Int64) { self = .integer(number) }
    /// `NULL`.
    package init(nilLiteral: ()) { self = .null }
}
