/// One setting: its name, what it allows, and where it is kept.
struct SettingDefinition: Sendable {
    /// What values a setting takes.
    enum Domain: Sendable {
        case integer(ClosedRange<Int>)
        /// Bytes.
        case size
        /// Bytes a second.
        case rate
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
    /// What 0 means, where numbers are taken.
    var zero = SettingKind.Zero.itself
    let get: @Sendable (Settings) -> SettingValue
    /// Takes a value of the domain only.
    let set: @Sendable (inout Settings, SettingValue) -> Void

    /// What kind of setting it is, for whoever shows it or reads a line.
    var kind: SettingKind {
        let unit: SettingKind.Unit =
            switch domain {
            case .integer: .number
            case .size: .size
            case .rate: .rate
            case .seconds: .seconds
            case .flag: .flag
            case .word: .word
            case .names: .names
            }
        return SettingKind(unit: unit, zero: zero)
    }

    /// What 0 means, as the end of a sentence; `nil` where it is a number like others.
    var meaningOfZero: String? {
        switch zero {
        case .itself: nil
        case .noLimit: "no limit"
        case .usual: Settings.usual[name].map { "the default, \($0)" }
        case .nothing(let effect): "that \(effect)"
        }
    }

    /// What is allowed, as the end of a sentence, and what 0 means.
    var allowed: String { meaningOfZero.map { "\(form); 0 means \($0)" } ?? form }

    /// The same in few words, for a line that has little room: examples stand for rules.
    var allowedInBrief: String {
        let start =
            switch domain {
            case .integer(let range): "from \(range.lowerBound) to \(range.upperBound)"
            case .size, .rate: "as 20K or 2M"
            case .seconds: "seconds, as 1.5"
            case .flag, .word, .names: form
            }
        if case .nothing(let effect) = zero { return "\(start); 0 means \(effect)" }
        return meaningOfZero.map { "\(start); 0 means \($0)" } ?? start
    }

    /// The same for a sentence that refuses a value.
    ///
    /// What 0 means is told there for sizes and rates only: who got one of the others wrong looked for no 0.
    var wanted: String { kind.isSize ? allowed : form }

    /// That for a configuration file, where several names are an array.
    var wantedInFile: String {
        if case .names = domain { "an array of names, or \"*\"" } else { wanted }
    }

    /// What values look like, as the end of a sentence.
    private var form: String {
        switch domain {
        case .integer(let range): "a whole number from \(range.lowerBound) to \(range.upperBound)"
        case .size, .rate: "a size in bytes, or with K, M, G or T"
        case .seconds: "a time in seconds, such as 1.5"
        case .flag: "true or false"
        case .word(let words):
            words.count > 1
                ? words.dropLast().joined(separator: ", ") + " or " + words[words.count - 1] : words.joined()
        case .names: "names with commas between them, or *"
        }
    }

    /// Reads a value as people write it; `nil` if it is not allowed.
    func parse(_ text: String) -> SettingValue? {
        let value: SettingValue? =
            switch domain {
            case .integer: text.first == "+" ? nil : Int(text).map(SettingValue.integer)
            case .size, .rate:
                ByteCount.parse(text.hasSuffix("/s") ? String(text.dropLast(2)) : text).map(SettingValue.integer)
            case .seconds:
                DecimalNumber.parse(Self.withoutUnit(text)).map(SettingValue.seconds)
            case .flag: Self.flag(text.lowercased()).map(SettingValue.flag)
            case .word: SettingValue.word(text)
            case .names: Self.names(text).map(SettingValue.list)
            }
        return value.flatMap { allows($0) ? $0 : nil }
    }

    func allows(_ value: SettingValue) -> Bool {
        switch (domain, value) {
        case (.integer(let range), .integer(let number)): range.contains(number)
        case (.size, .integer(let number)), (.rate, .integer(let number)): (0...ByteCount.largest).contains(number)
        case (.seconds, .seconds(let number)): number >= 0 && number <= Self.longest
        case (.flag, .flag): true
        case (.word(let words), .word(let word)): words.contains(word)
        case (.names, .list(let names)):
            names == ["*"] || names.allSatisfy { !$0.isEmpty && !$0.contains { " ,&=*".contains($0) } }
        case (.integer, _), (.size, _), (.rate, _), (.seconds, _), (.flag, _), (.word, _), (.names, _): false
        }
    }

    /// The names of `a, b`, and of `["a", "b"]` as a configuration file has them.
    ///
    /// - Returns: `nil` for brackets or quotes without end, and for a quote within a name: one was forgotten there.
    private static func names(_ text: String) -> [String]? {
        let isArray = text.first == "["
        guard !isArray || text.count > 1 && text.last == "]" else { return nil }
        let list = isArray ? text.dropFirst().dropLast() : text[...]
        if list.allSatisfy({ $0 == " " }) { return [] }
        var names: [String] = []
        for item in list.split(separator: ",", omittingEmptySubsequences: false) {
            var name = item
            while name.first == " " { name.removeFirst() }
            while name.last == " " { name.removeLast() }
            if let quote = name.first, quote == "\"" || quote == "'" {
                guard name.count > 1, name.last == quote else { return nil }
                name = name.dropFirst().dropLast()
            }
            guard !name.contains(where: { $0 == "\"" || $0 == "'" }) else { return nil }
            names.append(String(name))
        }
        return names
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

    static func integer(
        _ name: String,
        _ range: ClosedRange<Int>,
        _ path: Path<Int>,
        zero: SettingKind.Zero = .itself
    ) -> Self { whole(name, .integer(range), path, zero) }

    /// Bytes; most often 0 takes the limit away.
    static func size(_ name: String, _ path: Path<Int>, zero: SettingKind.Zero = .noLimit) -> Self {
        whole(name, .size, path, zero)
    }

    static func rate(_ name: String, _ path: Path<Int>) -> Self { whole(name, .rate, path, .noLimit) }

    private static func whole(_ name: String, _ domain: Domain, _ path: Path<Int>, _ zero: SettingKind.Zero) -> Self {
        SettingDefinition(name: name, domain: domain, zero: zero) {
            .integer($0[keyPath: path])
        } set: { settings, value in
            if case .integer(let number) = value { settings[keyPath: path] = number }
        }
    }

    static func seconds(_ name: String, _ path: Path<Duration>, zero: SettingKind.Zero = .itself) -> Self {
        let usual = Settings()[keyPath: path]
        return SettingDefinition(name: name, domain: .seconds, zero: zero) {
            .seconds($0[keyPath: path].seconds)
        } set: { settings, value in
            guard case .seconds(let number) = value else { return }
            settings[keyPath: path] = number == 0 && zero == .usual ? usual : .seconds(number)
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
