/// Reads one JSON text into a ``JSONValue``; every byte is looked at once.
struct JSONParser {
    private let bytes: ArraySlice<UInt8>
    private var index: Int
    private var depth = 0

    init(_ bytes: ArraySlice<UInt8>) { (self.bytes, index) = (bytes, bytes.startIndex) }

    mutating func wholeValue() throws(JSONValue.ParseError) -> JSONValue {
        let value = try value()
        skipBlanks()
        guard index == bytes.endIndex else { throw problem("there is more behind the value") }
        return value
    }

    // MARK: - Values

    private mutating func value() throws(JSONValue.ParseError) -> JSONValue {
        skipBlanks()
        guard index < bytes.endIndex else { throw problem("the text ends where a value is due") }
        switch bytes[index] {
        case UInt8(ascii: "\""):
            index += 1
            return .string(try restOfString())
        case UInt8(ascii: "["): return .array(try array())
        case UInt8(ascii: "{"): return .object(try object())
        case UInt8(ascii: "n"): return try word("null", .null)
        case UInt8(ascii: "t"): return try word("true", .bool(true))
        case UInt8(ascii: "f"): return try word("false", .bool(false))
        default: return try number()
        }
    }

    private mutating func word(_ word: StaticString, _ value: JSONValue) throws(JSONValue.ParseError) -> JSONValue {
        let text = word.description.utf8
        guard bytes[index...].starts(with: text) else { throw problem("there is no value") }
        index += text.count
        return value
    }

    private mutating func array() throws(JSONValue.ParseError) -> [JSONValue] {
        try enter()
        defer { depth -= 1 }
        var values: [JSONValue] = []
        if takes(UInt8(ascii: "]")) { return values }
        while true {
            values.append(try value())
            if takes(UInt8(ascii: "]")) { return values }
            guard takes(UInt8(ascii: ",")) else { throw problem("a comma or ] is due") }
        }
    }

    private mutating func object() throws(JSONValue.ParseError) -> [String: JSONValue] {
        try enter()
        defer { depth -= 1 }
        var fields: [String: JSONValue] = [:]
        if takes(UInt8(ascii: "}")) { return fields }
        while true {
            guard takes(UInt8(ascii: "\"")) else { throw problem("a name in quotes is due") }
            let name = try restOfString()
            guard takes(UInt8(ascii: ":")) else { throw problem("a colon is due") }
            guard fields.updateValue(try value(), forKey: name) == nil else {
                throw problem("a name stands twice in one object")
            }
            if takes(UInt8(ascii: "}")) { return fields }
            guard takes(UInt8(ascii: ",")) else { throw problem("a comma or } is due") }
        }
    }

    /// Steps over the opening bracket.
    private mutating func enter() throws(JSONValue.ParseError) {
        depth += 1
        guard depth <= JSONValue.depthLimit else {
            throw problem("it is nested more than \(JSONValue.depthLimit) levels deep")
        }
        index += 1
    }

    // MARK: - Strings

    private mutating func restOfString() throws(JSONValue.ParseError) -> String {
        let start = index
        // Most strings are plain: then their bytes are taken as they stand.
        while index < bytes.endIndex, bytes[index] != UInt8(ascii: "\""), bytes[index] != UInt8(ascii: "\\") {
            guard bytes[index] >= 0x20 else { throw problem("a control character stands in a string") }
            index += 1
        }
        guard index < bytes.endIndex else { throw problem("a string has no end") }
        if bytes[index] == UInt8(ascii: "\"") {
            index += 1
            return try text(bytes[start..<index - 1])
        }
        return try restOfString(after: Array(bytes[start..<index]))
    }

    private mutating func restOfString(after start: [UInt8]) throws(JSONValue.ParseError) -> String {
        var units = start
        while index < bytes.endIndex {
            let byte = bytes[index]
            index += 1
            switch byte {
            case UInt8(ascii: "\""): return try text(units[...])
            case 0x00..<0x20: throw problem("a control character stands in a string")
            case UInt8(ascii: "\\"): try appendEscaped(to: &units)
            default: units.append(byte)
            }
        }
        throw problem("a string has no end")
    }

    private func text(_ units: ArraySlice<UInt8>) throws(JSONValue.ParseError) -> String {
        guard let text = String(validating: units, as: UTF8.self) else { throw problem("a string is no UTF-8") }
        return text
    }

    private mutating func appendEscaped(to units: inout [UInt8]) throws(JSONValue.ParseError) {
        guard index < bytes.endIndex else { throw problem("a string has no end") }
        let letter = bytes[index]
        index += 1
        switch letter {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): units.append(letter)
        case UInt8(ascii: "b"): units.append(0x08)
        case UInt8(ascii: "f"): units.append(0x0C)
        case UInt8(ascii: "n"): units.append(0x0A)
        case UInt8(ascii: "r"): units.append(0x0D)
        case UInt8(ascii: "t"): units.append(0x09)
        case UInt8(ascii: "u"): units += String(try escapedScalar()).utf8
        default: throw problem("there is no such escape")
        }
    }

    private mutating func escapedScalar() throws(JSONValue.ParseError) -> Character {
        let first = try hexadecimalUnit()
        var value = UInt32(first)
        if UTF16.isLeadSurrogate(first), bytes[index...].starts(with: "\\u".utf8) {
            index += 2
            let second = try hexadecimalUnit()
            guard UTF16.isTrailSurrogate(second) else { throw problem("half a character stands in a string") }
            value = 0x10000 + (UInt32(first) - 0xD800) << 10 + (UInt32(second) - 0xDC00)
        }
        guard let scalar = Unicode.Scalar(value) else { throw problem("half a character stands in a string") }
        return Character(scalar)
    }

    private mutating func hexadecimalUnit() throws(JSONValue.ParseError) -> UInt16 {
        guard bytes.endIndex - index >= 4 else { throw problem("\\u wants four hexadecimal digits") }
        var unit: UInt16 = 0
        for byte in bytes[index..<index + 4] {
            let digit: UInt8
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): digit = byte - UInt8(ascii: "0")
            case UInt8(ascii: "a")...UInt8(ascii: "f"): digit = byte - UInt8(ascii: "a") + 10
            case UInt8(ascii: "A")...UInt8(ascii: "F"): digit = byte - UInt8(ascii: "A") + 10
            default: throw problem("\\u wants four hexadecimal digits")
            }
            unit = unit << 4 | UInt16(digit)
        }
        index += 4
        return unit
    }

    // MARK: - Numbers

    private mutating func number() throws(JSONValue.ParseError) -> JSONValue {
        let start = index
        var isWhole = true
        if bytes[index] == UInt8(ascii: "-") { index += 1 }
        let first = index
        guard skipDigits() > 0 else { throw problem("there is no value") }
        if bytes[first] == UInt8(ascii: "0"), index > first + 1 { throw problem("a number has a leading zero") }
        if index < bytes.endIndex, bytes[index] == UInt8(ascii: ".") {
            (isWhole, index) = (false, index + 1)
            guard skipDigits() > 0 else { throw problem("digits are due behind the point") }
        }
        if index < bytes.endIndex, bytes[index] | 0x20 == UInt8(ascii: "e") {
            (isWhole, index) = (false, index + 1)
            if index < bytes.endIndex, [UInt8(ascii: "+"), UInt8(ascii: "-")].contains(bytes[index]) { index += 1 }
            guard skipDigits() > 0 else { throw problem("digits are due in the exponent") }
        }
        let text = String(decoding: bytes[start..<index], as: UTF8.self)
        if isWhole, let value = Int(text) { return .integer(value) }
        guard let value = Double(text), value.isFinite else { throw problem("a number is too large") }
        return .number(JSONNumber(value, text: text))
    }

    private mutating func skipDigits() -> Int {
        let start = index
        while index < bytes.endIndex, UInt8(ascii: "0")...UInt8(ascii: "9") ~= bytes[index] { index += 1 }
        return index - start
    }

    // MARK: - Details

    /// Takes one byte behind blanks, if it is this one.
    private mutating func takes(_ byte: UInt8) -> Bool {
        skipBlanks()
        guard index < bytes.endIndex, bytes[index] == byte else { return false }
        index += 1
        return true
    }

    private mutating func skipBlanks() {
        while index < bytes.endIndex {
            switch bytes[index] {
            case 0x20, 0x09, 0x0A, 0x0D: index += 1
            default: return
            }
        }
    }

    private func problem(_ text: String) -> JSONValue.ParseError {
        JSONValue.ParseError(description: "\(text), at byte \(index - bytes.startIndex + 1)")
    }
}
