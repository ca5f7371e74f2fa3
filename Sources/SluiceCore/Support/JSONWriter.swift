/// Appends JSON to bytes, without a tree and without Foundation.
///
/// Commas set themselves. Text is escaped so that a line is safe to show: besides what
/// JSON demands, whatever could move a cursor or fool a reader is written as `\uXXXX`.
struct JSONWriter {
    private var bytes: [UInt8] = []
    /// Whether something stands before, in the same object or array.
    private var needsComma = false

    /// Writes behind what `bytes` hold, which come back with ``finish(into:)``.
    init(appendingTo bytes: inout [UInt8]) { swap(&self.bytes, &bytes) }

    consuming func finish(into bytes: inout [UInt8]) { bytes = self.bytes }

    // MARK: - Structure

    mutating func beginObject() {
        separate()
        bytes.append(UInt8(ascii: "{"))
        needsComma = false
    }

    mutating func endObject() {
        bytes.append(UInt8(ascii: "}"))
        needsComma = true
    }

    mutating func beginArray() {
        separate()
        bytes.append(UInt8(ascii: "["))
        needsComma = false
    }

    mutating func endArray() {
        bytes.append(UInt8(ascii: "]"))
        needsComma = true
    }

    mutating func endLine() {
        bytes.append(UInt8(ascii: "\n"))
        needsComma = false
    }

    /// The name of a field, which needs no escapes; its value follows.
    mutating func key(_ name: String) {
        separate()
        bytes.append(UInt8(ascii: "\""))
        bytes.append(contentsOf: name.utf8)
        bytes.append(contentsOf: "\":".utf8)
        needsComma = false
    }

    // MARK: - Values

    mutating func null() {
        separate()
        bytes.append(contentsOf: "null".utf8)
    }

    mutating func flag(_ value: Bool) {
        separate()
        bytes.append(contentsOf: (value ? "true" : "false").utf8)
    }

    mutating func integer(_ value: Int) {
        separate()
        append(value)
    }

    /// A number of seconds with six decimals, cut off.
    mutating func seconds(_ duration: Duration) {
        separate()
        let microseconds = Int(duration.nanoseconds / 1000)
        if microseconds < 0 { bytes.append(UInt8(ascii: "-")) }
        let magnitude = Int(microseconds.magnitude)
        append(magnitude / 1_000_000)
        bytes.append(contentsOf: ".000000".utf8)
        var output = bytes.mutableSpan
        output.fill(magnitude % 1_000_000, digits: 6, before: output.count)
    }

    /// Text that needs no escapes, such as a code.
    mutating func word(_ text: String) {
        separate()
        bytes.append(UInt8(ascii: "\""))
        bytes.append(contentsOf: text.utf8)
        bytes.append(UInt8(ascii: "\""))
    }

    /// A moment in nanoseconds since 1970.
    mutating func time(_ nanoseconds: Int64) {
        separate()
        bytes.append(UInt8(ascii: "\""))
        RFC3339.append(nanosecondsSince1970: nanoseconds, to: &bytes)
        bytes.append(UInt8(ascii: "\""))
    }

    /// A number that is written already.
    mutating func number(_ text: String) {
        separate()
        bytes.append(contentsOf: text.utf8)
    }

    mutating func string(_ text: String) {
        separate()
        bytes.append(UInt8(ascii: "\""))
        if Self.isPlain(text.utf8.span) {
            bytes.append(contentsOf: text.utf8)
        } else {
            for scalar in text.unicodeScalars { appendEscaped(scalar) }
        }
        bytes.append(UInt8(ascii: "\""))
    }

    // MARK: - Details

    /// Writes the comma before a field or value, where one is due.
    private mutating func separate() {
        if needsComma { bytes.append(UInt8(ascii: ",")) }
        needsComma = true
    }

    private mutating func append(_ value: Int) {
        if value < 0 { bytes.append(UInt8(ascii: "-")) }
        let magnitude = value == .min ? .max : abs(value)
        guard magnitude >= 10 else {
            bytes.append(UInt8(ascii: "0") + UInt8(magnitude))
            return
        }
        var (rest, digits) = (magnitude, 0)
        while rest > 0 { (rest, digits) = (rest / 10, digits + 1) }
        bytes.append(contentsOf: repeatElement(0, count: digits))
        var output = bytes.mutableSpan
        output.fill(magnitude, digits: digits, before: output.count)
    }

    private static func isPlain(_ text: Span<UInt8>) -> Bool {
        for index in text.indices {
            let byte = text[index]
            if byte < 0x20 || byte > 0x7E || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") { return false }
        }
        return true
    }

    private mutating func appendEscaped(_ scalar: Unicode.Scalar) {
        switch scalar {
        case "\"": bytes.append(contentsOf: "\\\"".utf8)
        case "\\": bytes.append(contentsOf: "\\\\".utf8)
        case "\n": bytes.append(contentsOf: "\\n".utf8)
        case "\r": bytes.append(contentsOf: "\\r".utf8)
        case "\t": bytes.append(contentsOf: "\\t".utf8)
        case _ where scalar.isHazardous:
            for unit in String(scalar).utf16 { appendEscape(unit) }
        default:
            if let units = UTF8.encode(scalar) { bytes.append(contentsOf: units) }
        }
    }

    private mutating func appendEscape(_ unit: UInt16) {
        bytes.append(contentsOf: "\\u".utf8)
        for shift in [12, 8, 4, 0] {
            let digit = UInt8(truncatingIfNeeded: unit >> UInt16(shift)) & 15
            bytes.append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10)
        }
    }
}

extension JSONWriter {
    mutating func field(_ name: String, _ value: Int) {
        key(name)
        integer(value)
    }

    mutating func field(_ name: String, _ value: Bool) {
        key(name)
        flag(value)
    }

    mutating func field(_ name: String, _ text: String) {
        key(name)
        string(text)
    }

    mutating func field(_ name: String, _ duration: Duration) {
        key(name)
        seconds(duration)
    }

    mutating func field(_ name: String, word: String) {
        key(name)
        self.word(word)
    }

    mutating func fieldOrNull(_ name: String, _ value: Int?) {
        key(name)
        if let value { integer(value) } else { null() }
    }

    mutating func fieldOrNull(_ name: String, _ duration: Duration?) {
        key(name)
        if let duration { seconds(duration) } else { null() }
    }
}
