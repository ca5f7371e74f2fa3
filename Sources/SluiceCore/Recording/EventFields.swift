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
        let text = try text(name)
        guard let time = RFC3339.nanosecondsSince1970(text) else {
            let given = VisibleText.visible(text, limit: 40)
            throw EventDecodingError(
                "its field \(name) should be a time such as 2026-01-31T12:41:06.123Z, and is \"\(given)\""
            )
        }
        return time
    }

    func flag(_ name: String) throws(EventDecodingError) -> Bool {
        guard let flag = fields[name]?.bool else { throw problem(name, "true or false") }
        return flag
    }

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
