/// One setting: its name, what it allows, and where it is kept.
struct SettingDefinition: Sendable {
    /// What values a setting takes.
    enum Domain: Sendable {
        case integer(ClosedRange<Int>)
        /// Bytes, or bytes a second.
        case size
        case seconds
        case flag
        case word([String])
        /// Any number of words, or `*` alone.
        case names
    }

    /// The longest time, in seconds: thirty years.
    static let longest = 1e9

    let name: String
    let domain: Domain
    let get: @Sendable (Settings) -> SettingValue
    /// Takes a value of the domain only.
    let set: @Sendable (inout Settings, SettingValue) -> Void

    /// What is allowed, as the end of a sentence.
    var allowed: String {
        switch domain {
        case .integer(let range): "a whole number from \(range.lowerBound) to \(range.upperBound)"
        case .size: "a size in bytes, or with K, M, G or T; 0 means no limit"
        case .seconds: "a time in seconds, such as 1.5"
        case .flag: "true or false"
        case .word(let words):
            words.count > 1
                ? words.dropLast().joined(separator: ", ") + " or " + words[words.count - 1] : words.joined()
        case .names: "names with commas between them, or *"
        }
    }

    /// The same for a configuration file, where several names are an array.
    var allowedInFile: String {
        if case .names = domain { "an array of names, or \"*\"" } else { allowed }
    }

    /// Reads a value as people write it; `nil` if it is not allowed.
    func parse(_ text: String) -> SettingValue? {
        let value: SettingValue? =
            switch domain {
            case .integer: text.first == "+" ? nil : Int(text).map(SettingValue.integer)
            case .size:
                ByteCount.parse(text.hasSuffix("/s") ? String(text.dropLast(2)) : text).map(SettingValue.integer)
            case .seconds:
                DecimalNumber.parse(Self.withoutUnit(text)).map(SettingValue.seconds)
            case .flag: Self.flag(text.lowercased()).map(SettingValue.flag)
            case .word: SettingValue.word(text)
            case .names:
                .list(text.isEmpty ? [] : text.split(separator: ",", omittingEmptySubsequences: false).map(String.init))
            }
        return value.flatMap { allows($0) ? $0 : nil }
    }

    func allows(_ value: SettingValue) -> Bool {
        switch (domain, value) {
        case (.integer(let range), .integer(let number)): range.contains(number)
        case (.size, .integer(let number)): (0...ByteCount.largest).contains(number)
        case (.seconds, .seconds(let number)): number >= 0 && number <= Self.longest
        case (.flag, .flag): true
        case (.word(let words), .word(let word)): words.contains(word)
        case (.names, .list(let names)):
            names == ["*"] || names.allSatisfy { !$0.isEmpty && !$0.contains { " ,&=*".contains($0) } }
        case (.integer, _), (.size, _), (.seconds, _), (.flag, _), (.word, _), (.names, _): false
        }
    }

    /// The number of `60`, `60s` and `60 s`.
    private static func withoutUnit(_ text: String) -> String {
        guard text.hasSuffix("s") else { return text }
        let number = text.dropLast()
        return String(number.last == " " ? number.dropLast() : number)
    }

    private static func flag(_ word: String) -> Bool? {
        switch word {
        case "true", "on", "yes", "1": true
        case "false", "off", "no", "0": false
        default: nil
        }
    }
}

extension SettingDefinition {
    typealias Path<Value> = any WritableKeyPath<Settings, Value> & Sendable

    static func integer(_ name: String, _ range: ClosedRange<Int>, _ path: Path<Int>) -> Self {
        SettingDefinition(name: name, domain: .integer(range)) {
            .integer($0[keyPath: path])
        } set: { settings, value in
            if case .integer(let number) = value { settings[keyPath: path] = number }
        }
    }

    static func size(_ name: String, _ path: Path<Int>) -> Self {
        SettingDefinition(name: name, domain: .size) {
            .integer($0[keyPath: path])
        } set: { settings, value in
            if case .integer(let number) = value { settings[keyPath: path] = number }
        }
    }

    /// A time; `zero` is what 0 stands for, where it does not stand for itself.
    static func seconds(_ name: String, _ path: Path<Duration>, zero: Duration = .zero) -> Self {
        SettingDefinition(name: name, domain: .seconds) {
            .seconds($0[keyPath: path].seconds)
        } set: { settings, value in
            if case .seconds(let number) = value { settings[keyPath: path] = number == 0 ? zero : .seconds(number) }
        }
    }

    static func flag(_ name: String, _ path: Path<Bool>) -> Self {
        SettingDefinition(name: name, domain: .flag) {
            .flag($0[keyPath: path])
        } set: { settings, value in
            if case .flag(let flag) = value { settings[keyPath: path] = flag }
        }
    }

    static func names(_ name: String, _ path: Path<[String]>) -> Self {
        SettingDefinition(name: name, domain: .names) {
            .list($0[keyPath: path])
        } set: { settings, value in
            if case .list(let names) = value { settings[keyPath: path] = names }
        }
    }

    static func word<Word>(_ name: String, _ path: Path<Word>) -> Self
    where Word: RawRepresentable<String> & CaseIterable & Sendable {
        let words = Word.allCases.map(\.rawValue)
        return SettingDefinition(name: name, domain: .word(words)) {
            .word($0[keyPath: path].rawValue)
        } set: { settings, value in
            if case .word(let text) = value, let word = Word(rawValue: text) { settings[keyPath: path] = word }
        }
    }
}
