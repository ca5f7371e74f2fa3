/// The fields of one recorded object, read by name and checked as they are read.
///
/// A log comes from outside: every number is bounded, so that no sum of them overflows.
struct EventFields {
    /// What every reader can keep exactly.
    static let largest = 1 << 53

    private let fields: [String: JSONValue]

    init(_ value: JSONValue) throws(EventDecodingError) {
        guard let fields = value.object else { throw EventDecodingError("\(value.kind) stands where an object is due") }
        self.fields = fields
    }

    var all: [String: JSONValue] { fields }

    func isPresent(_ name: String) -> Bool { fields[name].map { $0 != .null } ?? false }

    // MARK: Numbers

    func int(_ name: String, from lowest: Int = 0) throws(EventDecodingError) -> Int {
        guard let number = fields[name]?.int, number >= lowest, number <= Self.largest else {
            throw problem(name, "a whole number from \(lowest)")
        }
        return number
    }

    func optionalInt(_ name: String, from lowest: Int = 0) throws(EventDecodingError) -> Int? {
        isPresent(name) ? try int(name, from: lowest) : nil
    }

    func task(_ name: String = "task") throws(EventDecodingError) -> TaskID { TaskID(try int(name, from: 1)) }

    func seconds(_ name: String) throws(EventDecodingError) -> Duration {
        guard let number = fields[name]?.double, number >= 0, number <= SettingDefinition.longest else {
            throw problem(name, "a time in seconds")
        }
        // Written with six decimals.
        return .microseconds(Int64((number * 1_000_000).rounded()))
    }

    func optionalSeconds(_ name: String) throws(EventDecodingError) -> Duration? {
        isPresent(name) ? try seconds(name) : nil
    }

    /// In nanoseconds since 1970.
    func time(_ name: String) throws(EventDecodingError) -> Int64 {
        guard let time = try RFC3339.nanosecondsSince1970(text(name)) else {
            throw problem(name, "a time such as 2026-01-31T12:41:06.123Z")
        }
        return time
    }

    func flag(_ name: String) throws(EventDecodingError) -> Bool {
        guard let flag = fields[name]?.bool else { throw problem(name, "true or false") }
        return flag
    }

    // MARK: Text

    func text(_ name: String) throws(EventDecodingError) -> String {
        guard let text = fields[name]?.string else { throw problem(name, "a text") }
        return text
    }

    func optionalText(_ name: String) throws(EventDecodingError) -> String? {
        isPresent(name) ? try text(name) : nil
    }

    func word<Word: RawRepresentable<String>>(_ name: String) throws(EventDecodingError) -> Word {
        guard let word = Word(rawValue: try text(name)) else { throw problem(name, "a word that this Sluice knows") }
        return word
    }

    func optionalWord<Word: RawRepresentable<String>>(_ name: String) throws(EventDecodingError) -> Word? {
        if isPresent(name) { try word(name) as Word } else { nil }
    }

    // MARK: Others

    func array(_ name: String) throws(EventDecodingError) -> [JSONValue] {
        guard let values = fields[name]?.array else { throw problem(name, "an array") }
        return values
    }

    func object(_ name: String) throws(EventDecodingError) -> EventFields? {
        guard let value = fields[name], value != .null else { return nil }
        return try EventFields(value)
    }

    private func problem(_ name: String, _ allowed: String) -> EventDecodingError {
        let given = fields[name].map(\.kind) ?? "nothing"
        return EventDecodingError("its field \(name) should be \(allowed), and is \(given)")
    }
}

/// Why something is no event of Sluice; the end of a sentence.
public struct EventDecodingError: Error, Equatable, Sendable {
    public let message: String
    init(_ message: String) { self.message = message }
}

extension RFC3339 {
    /// Reads what ``text(nanosecondsSince1970:)`` writes, of the years that nanoseconds can count.
    static func nanosecondsSince1970(_ text: String) -> Int64? {
        let bytes = Array(text.utf8)
        let form = Array("0000-00-00T00:00:00.000Z".utf8)
        guard bytes.count == form.count else { return nil }
        for (byte, expected) in zip(bytes, form) {
            let isFine = expected == UInt8(ascii: "0") ? 0x30...0x39 ~= byte : byte == expected
            if !isFine { return nil }
        }
        func number(_ range: Range<Int>) -> Int { bytes[range].reduce(0) { $0 * 10 + Int($1 - 0x30) } }
        let year = number(0..<4)
        let (month, day) = (number(5..<7), number(8..<10))
        guard (1970..<2262).contains(year), 1...12 ~= month, 1...31 ~= day else { return nil }
        let time = CivilTime(
            year: year,
            month: month,
            day: day,
            hour: number(11..<13),
            minute: number(14..<16),
            second: number(17..<19)
        )
        return Int64(time.secondsSince1970) * 1_000_000_000 + Int64(number(20..<23)) * 1_000_000
    }
}
