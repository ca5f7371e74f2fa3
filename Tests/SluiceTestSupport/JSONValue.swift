/// A JSON text as a tree, read more strictly than most readers do.
///
/// Names given twice, raw control characters, numbers that other readers round, and
/// anything behind the value are errors: what a test accepts, every program can read.
public enum JSONValue: Equatable, Sendable {
    case null
    case bool(Bool)
    case integer(Int)
    case number(Double)
    case string(String)
    case array([JSONValue])
    case object([String: JSONValue])

    /// Why a text is no JSON, and where, in bytes.
    public struct ParseError: Error, CustomStringConvertible {
        public let description: String
    }

    public init(parsing text: String) throws(ParseError) {
        var parser = Parser(bytes: Array(text.utf8))
        self = try parser.wholeValue()
    }

    /// A field of an object; `nil` if it is absent, or this is no object.
    public subscript(name: String) -> JSONValue? {
        if case .object(let fields) = self { fields[name] } else { nil }
    }

    public var int: Int? { if case .integer(let value) = self { value } else { nil } }
    public var string: String? { if case .string(let value) = self { value } else { nil } }
    public var bool: Bool? { if case .bool(let value) = self { value } else { nil } }
    public var array: [JSONValue]? { if case .array(let values) = self { values } else { nil } }
    /// Of an integer too.
    public var double: Double? {
        switch self {
        case .integer(let value): Double(value)
        case .number(let value): value
        case .null, .bool, .string, .array, .object: nil
        }
    }
}

private struct Parser {
    let bytes: [UInt8]
    var index = 0

    mutating func wholeValue() throws(JSONValue.ParseError) -> JSONValue {
        let value = try value(depth: 0)
        skipBlanks()
        guard index == bytes.count else { throw problem("more behind the value") }
        return value
    }

    private func problem(_ text: String) -> JSONValue.ParseError {
        JSONValue.ParseError(description: "\(text) at byte \(index) of \(String(decoding: bytes, as: UTF8.self))")
    }

    private mutating func skipBlanks() {
        while index < bytes.count, [0x20, 0x09, 0x0A, 0x0D].contains(bytes[index]) { index += 1 }
    }

    private mutating func take(_ word: String) -> Bool {
        guard bytes[index...].starts(with: word.utf8) else { return false }
        index += word.utf8.count
        return true
    }

    private mutating func value(depth: Int) throws(JSONValue.ParseError) -> JSONValue {
        guard depth < 50 else { throw problem("too deep") }
        skipBlanks()
        if take("null") { return .null }
        if take("true") { return .bool(true) }
        if take("false") { return .bool(false) }
        if take("\"") { return .string(try restOfString()) }
        if take("[") { return .array(try restOfArray(depth)) }
        if take("{") { return .object(try restOfObject(depth)) }
        return try number()
    }

    private mutating func restOfArray(_ depth: Int) throws(JSONValue.ParseError) -> [JSONValue] {
        var values: [JSONValue] = []
        skipBlanks()
        if take("]") { return values }
        while true {
            values.append(try value(depth: depth + 1))
            skipBlanks()
            if take("]") { return values }
            guard take(",") else { throw problem("no comma") }
        }
    }

    private mutating func restOfObject(_ depth: Int) throws(JSONValue.ParseError) -> [String: JSONValue] {
        var fields: [String: JSONValue] = [:]
        skipBlanks()
        if take("}") { return fields }
        while true {
            skipBlanks()
            guard take("\"") else { throw problem("no name") }
            let name = try restOfString()
            skipBlanks()
            guard take(":") else { throw problem("no colon") }
            guard fields.updateValue(try value(depth: depth + 1), forKey: name) == nil else {
                throw problem("\(name) twice")
            }
            skipBlanks()
            if take("}") { return fields }
            guard take(",") else { throw problem("no comma") }
        }
    }

    private mutating func restOfString() throws(JSONValue.ParseError) -> String {
        var units: [UInt8] = []
        while index < bytes.count {
            let byte = bytes[index]
            index += 1
            switch byte {
            case UInt8(ascii: "\""):
                guard let text = String(validating: units, as: UTF8.self) else { throw problem("no UTF-8") }
                return text
            case 0x00..<0x20: throw problem("a raw control character")
            case UInt8(ascii: "\\"): units += String(try escape()).utf8
            default: units.append(byte)
            }
        }
        throw problem("no end of the string")
    }

    private mutating func escape() throws(JSONValue.ParseError) -> Character {
        let simple: [(String, Character)] = [
            ("\"", "\""), ("\\", "\\"), ("/", "/"), ("b", "\u{8}"), ("f", "\u{C}"), ("n", "\n"), ("r", "\r"),
            ("t", "\t"),
        ]
        for (letter, character) in simple where take(letter) { return character }
        guard take("u") else { throw problem("no escape") }
        var units = [try hexadecimalUnit()]
        if UTF16.isLeadSurrogate(units[0]), take("\\u") { units.append(try hexadecimalUnit()) }
        guard let text = String(validating: units, as: UTF16.self), let character = text.first else {
            throw problem("half a character")
        }
        return character
    }

    private mutating func hexadecimalUnit() throws(JSONValue.ParseError) -> UInt16 {
        let digits = bytes[index...].prefix(4)
        guard digits.count == 4, digits.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }),
            let unit = UInt16(String(decoding: digits, as: UTF8.self), radix: 16)
        else { throw problem("no four digits") }
        index += 4
        return unit
    }

    private mutating func number() throws(JSONValue.ParseError) -> JSONValue {
        let text = String(decoding: bytes[index...].prefix { "+-.0123456789eE".utf8.contains($0) }, as: UTF8.self)
        guard text.wholeMatch(of: /-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?/) != nil else {
            throw problem("no value")
        }
        index += text.utf8.count
        if let value = Int(text) {
            guard value.magnitude <= 1 << 53 else { throw problem("a number that doubles cannot hold") }
            return .integer(value)
        }
        guard let value = Double(text), value.isFinite else { throw problem("no number") }
        return .number(value)
    }
}
