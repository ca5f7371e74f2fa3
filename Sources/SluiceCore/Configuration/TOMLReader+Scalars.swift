extension TOMLReader {
    // MARK: Numbers, booleans, dates

    /// Reads a value that stands without quotes or brackets.
    mutating func bareValue() throws(TOMLError) -> TOMLNode.Value {
        let start = index
        while let byte = peek, Self.isBareKey(byte) || "+.:".utf8.contains(byte) { index += 1 }
        var text = String(decoding: bytes[start..<index], as: UTF8.self)
        // Between a date and its time one space may stand for the T.
        if Self.isDate(text), peek == 32, index + 2 < bytes.count, Self.isDigit(bytes[index + 1]),
            Self.isDigit(bytes[index + 2])
        {
            let time = bytes[(index + 1)...].prefix { Self.isBareKey($0) || "+.:".utf8.contains($0) }
            text += " " + String(decoding: time, as: UTF8.self)
            index += 1 + time.count
        }
        guard !text.isEmpty else { throw fault("a value is wanted here, and \(found) is none") }
        switch text {
        case "true": return .boolean(true)
        case "false": return .boolean(false)
        case "inf", "+inf": return .float(.infinity)
        case "-inf": return .float(-.infinity)
        case "nan", "+nan", "-nan": return .float(.nan)
        default: break
        }
        if let number = try integer(text) { return .integer(number) }
        if let number = Self.float(text) { return .float(number) }
        if Self.isDate(text) || Self.isTime(text) { return .date(text) }
        throw fault("'\(text.withVisibleControls)' is no value: text stands in quotes, true and false in small letters")
    }

    private func integer(_ text: String) throws(TOMLError) -> Int? {
        var digits = Array(text.utf8)
        var (radix, sign) = (10, "")
        if text.hasPrefix("0x") || text.hasPrefix("0o") || text.hasPrefix("0b") {
            radix = digits[1] == UInt8(ascii: "x") ? 16 : digits[1] == UInt8(ascii: "o") ? 8 : 2
            digits.removeFirst(2)
        } else if let first = digits.first, first == UInt8(ascii: "+") || first == UInt8(ascii: "-") {
            sign = first == UInt8(ascii: "-") ? "-" : ""
            digits.removeFirst()
        }
        guard let plain = Self.withoutUnderscores(digits, isDigit: { Self.isDigit($0, radix: radix) }) else {
            return nil
        }
        if radix == 10, plain.count > 1, plain[0] == UInt8(ascii: "0") {
            throw fault("a number must not begin with 0: write \(sign)\(Self.text(plain.drop { $0 == 48 }))")
        }
        guard let number = Int(sign + Self.text(plain), radix: radix) else {
            throw fault("\(text) is too large a number")
        }
        return number
    }

    private static func float(_ text: String) -> Double? {
        var rest = Array(text.utf8)[...]
        var plain: [UInt8] = []
        if let first = rest.first, first == UInt8(ascii: "+") || first == UInt8(ascii: "-") {
            plain.append(first)
            rest.removeFirst()
        }
        let isMark: (UInt8) -> Bool = { $0 == UInt8(ascii: "e") || $0 == UInt8(ascii: "E") }
        let mantissa = rest.prefix { !isMark($0) }
        let parts = mantissa.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard parts.count <= 2, parts.count == 2 || mantissa.count < rest.count else { return nil }
        for (place, part) in parts.enumerated() {
            guard let digits = withoutUnderscores(Array(part), isDigit: { isDigit($0) }) else { return nil }
            if place == 0, digits.count > 1, digits[0] == UInt8(ascii: "0") { return nil }
            if place == 1 { plain.append(UInt8(ascii: ".")) }
            plain += digits
        }
        rest = rest.dropFirst(mantissa.count)
        if rest.first != nil {
            plain.append(UInt8(ascii: "e"))
            rest = rest.dropFirst()
            if let sign = rest.first, sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") {
                plain.append(sign)
                rest = rest.dropFirst()
            }
            guard let digits = withoutUnderscores(Array(rest), isDigit: { isDigit($0) }) else { return nil }
            plain += digits
        }
        return Double(Self.text(plain))
    }

    /// The digits alone; `nil` if there are none, or an underscore does not stand between two.
    private static func withoutUnderscores(_ bytes: [UInt8], isDigit: (UInt8) -> Bool) -> [UInt8]? {
        let underscore = UInt8(ascii: "_")
        guard let first = bytes.first, let last = bytes.last, first != underscore, last != underscore else {
            return nil
        }
        var digits: [UInt8] = []
        var wasUnderscore = false
        for byte in bytes {
            if byte == underscore {
                if wasUnderscore { return nil }
            } else {
                guard isDigit(byte) else { return nil }
                digits.append(byte)
            }
            wasUnderscore = byte == underscore
        }
        return digits
    }

    private static func text(_ bytes: some Collection<UInt8>) -> String { String(decoding: bytes, as: UTF8.self) }

    static func isDigit(_ byte: UInt8, radix: Int = 10) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): Int(byte - 48) < radix
        case UInt8(ascii: "a")...UInt8(ascii: "f"), UInt8(ascii: "A")...UInt8(ascii: "F"): radix == 16
        default: false
        }
    }

    /// `d` stands for a digit.
    private static func matches(_ text: String, _ pattern: String) -> Bool {
        guard text.utf8.count >= pattern.utf8.count else { return false }
        return zip(text.utf8, pattern.utf8).allSatisfy { byte, wanted in
            wanted == UInt8(ascii: "d") ? isDigit(byte) : byte == wanted
        }
    }

    private static func isDate(_ text: String) -> Bool { matches(text, "dddd-dd-dd") }
    private static func isTime(_ text: String) -> Bool { matches(text, "dd:dd:dd") }

    // MARK: Strings

    mutating func string() throws(TOMLError) -> String {
        if isNext("\"\"\"") { return try longString(quote: UInt8(ascii: "\""), escapes: true) }
        if isNext("'''") { return try longString(quote: UInt8(ascii: "'"), escapes: false) }
        let quote = bytes[index]
        let escapes = quote == UInt8(ascii: "\"")
        index += 1
        var text: [UInt8] = []
        while let byte = peek, byte != quote {
            if escapes, byte == UInt8(ascii: "\\") {
                try escape(into: &text)
            } else {
                guard byte >= 32 && byte != 127 || byte == 9 else {
                    throw fault("the text must end with \(escapes ? "\"" : "'") on its line, and \(found) comes before")
                }
                text.append(byte)
                index += 1
            }
        }
        guard index < bytes.count else {
            throw fault("the text must end with \(escapes ? "\"" : "'"), and the file ends before")
        }
        index += 1
        return Self.text(text)
    }

    private mutating func longString(quote: UInt8, escapes: Bool) throws(TOMLError) -> String {
        let start = line
        index += 3
        _ = newline()
        var text: [UInt8] = []
        while let byte = peek {
            if byte == quote {
                let run = bytes[index...].prefix { $0 == quote }.count
                if run >= 3 {
                    // Up to two quotes may stand before the three that end it.
                    guard run <= 5 else { throw fault("more than five quotes in a row") }
                    text += repeatElement(quote, count: run - 3)
                    index += run
                    return Self.text(text)
                }
                text += repeatElement(quote, count: run)
                index += run
            } else if newline() {
                text.append(10)
            } else if escapes, byte == UInt8(ascii: "\\") {
                if !skipLineContinuation() { try escape(into: &text) }
            } else {
                guard byte >= 32 && byte != 127 || byte == 9 else {
                    throw fault("a text must not hold control characters; write \\u and four digits")
                }
                text.append(byte)
                index += 1
            }
        }
        throw TOMLError(line: start, message: "the text that begins here has no end: three quotes")
    }

    /// A backslash at the end of a line takes away the break and the white space that follows.
    private mutating func skipLineContinuation() -> Bool {
        let (oldIndex, oldLine) = (index, line)
        index += 1
        skipBlanks()
        guard newline() else {
            (index, line) = (oldIndex, oldLine)
            return false
        }
        repeat { skipBlanks() } while newline()
        return true
    }

    private mutating func escape(into text: inout [UInt8]) throws(TOMLError) {
        index += 1
        guard let byte = peek else { throw fault("the text has no end") }
        index += 1
        switch byte {
        case UInt8(ascii: "b"): text.append(8)
        case UInt8(ascii: "t"): text.append(9)
        case UInt8(ascii: "n"): text.append(10)
        case UInt8(ascii: "f"): text.append(12)
        case UInt8(ascii: "r"): text.append(13)
        case UInt8(ascii: "\""), UInt8(ascii: "\\"): text.append(byte)
        case UInt8(ascii: "u"): try appendScalar(digits: 4, to: &text)
        case UInt8(ascii: "U"): try appendScalar(digits: 8, to: &text)
        default:
            index -= 1
            throw fault(
                "there is no escape \\ with \(found); they are \\b \\t \\n \\f \\r \\\" \\\\ \\uXXXX \\UXXXXXXXX"
            )
        }
    }

    private mutating func appendScalar(digits: Int, to text: inout [UInt8]) throws(TOMLError) {
        let end = index + digits
        guard end <= bytes.count, bytes[index..<end].allSatisfy({ Self.isDigit($0, radix: 16) }),
            let number = UInt32(Self.text(bytes[index..<end]), radix: 16), let scalar = Unicode.Scalar(number)
        else { throw fault("an escape names a character by \(digits) hexadecimal digits") }
        text += Array(String(Character(scalar)).utf8)
        index = end
    }
}
