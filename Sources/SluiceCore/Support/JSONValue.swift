/// A JSON text as a tree, read more strictly than most readers do.
///
/// Names given twice, raw control characters, halves of characters, nesting beyond
/// ``depthLimit`` and anything behind the value are errors: what is accepted here, every
/// program can read, and nothing that a stranger sends can exhaust the stack.
///
/// - SeeAlso: RFC 8259; RFC 7493
public enum JSONValue: Equatable, Sendable {
    /// The word `null`; an absent field is none.
    case null
    case bool(Bool)
    /// A number without point and exponent that fits.
    case integer(Int)
    /// Any other number.
    case number(JSONNumber)
    case string(String)
    case array([JSONValue])
    /// No name stands in it twice: such a text is refused.
    case object([String: JSONValue])

    /// Why a text is no JSON, and where.
    public struct ParseError: Error, Equatable, CustomStringConvertible {
        /// Says what is wrong, and at which byte.
        public let description: String
    }

    /// Arrays and objects in each other, at most.
    public static let depthLimit = 64

    /// Reads one value, with nothing but blanks around it.
    ///
    /// - Complexity: O(bytes)
    public init(parsing text: String) throws(ParseError) { try self.init(parsing: Array(text.utf8)[...]) }

    /// - Complexity: O(bytes)
    public init(parsing bytes: ArraySlice<UInt8>) throws(ParseError) {
        var parser = JSONParser(bytes)
        self = try parser.wholeValue()
    }

    /// A field of an object; `nil` if it is absent, or this is no object.
    public subscript(name: String) -> JSONValue? {
        if case .object(let fields) = self { fields[name] } else { nil }
    }

    /// A whole number, however it is written.
    public var int: Int? {
        switch self {
        case .integer(let value): value
        case .number(let number): Int(exactly: number.value)
        case .null, .bool, .string, .array, .object: nil
        }
    }

    /// The text of a string; `nil` for every other kind.
    public var string: String? { if case .string(let value) = self { value } else { nil } }
    /// `true` or `false`; `nil` for every other kind, numbers included.
    public var bool: Bool? { if case .bool(let value) = self { value } else { nil } }
    /// The values of an array; `nil` for every other kind.
    public var array: [JSONValue]? { if case .array(let values) = self { values } else { nil } }
    /// The fields of an object; `nil` for every other kind.
    public var object: [String: JSONValue]? { if case .object(let fields) = self { fields } else { nil } }

    /// Of an integer too.
    public var double: Double? {
        switch self {
        case .integer(let value): Double(value)
        case .number(let number): number.value
        case .null, .bool, .string, .array, .object: nil
        }
    }

    /// What kind of value it is, for complaints.
    public var kind: String {
        switch self {
        case .null: "null"
        case .bool: "true or false"
        case .integer: "a number"
        case .number(let number): number.isWhole ? "a number that is too large" : "a number with a fraction"
        case .string: "a string"
        case .array: "an array"
        case .object: "an object"
        }
    }
}
