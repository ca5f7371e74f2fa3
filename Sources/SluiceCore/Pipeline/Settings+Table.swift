/// The settings under their names: what command line, prompt, events and snapshots share.
extension Settings {
    /// All names in a fixed order.
    public static let names = table.map(\.name)

    /// All settings with their values, in the order of ``names``.
    public var all: [(name: String, value: SettingValue)] { Self.table.map { ($0.name, $0.get(self)) } }

    /// The value of one setting; `nil` for an unknown name.
    public func value(of name: String) -> SettingValue? { Self.table.first { $0.name == name }?.get(self) }

    /// What a setting allows and what 0 means, as the end of a sentence; `nil` for an unknown name.
    public static func allowed(_ name: String) -> String? { table.first { $0.name == name }?.allowed }

    /// The same in few words, in which examples stand for rules.
    package static func allowedInBrief(_ name: String) -> String? {
        table.first { $0.name == name }?.allowedInBrief
    }

    /// Whether a setting can have a number; none of an unknown name.
    package static func allows(_ number: Int, as name: String) -> Bool {
        table.first { $0.name == name }?.allows(.integer(number)) ?? false
    }

    /// What the values of a setting are; `nil` for an unknown name.
    package static func kind(of name: String) -> SettingKind? { table.first { $0.name == name }?.kind }

    /// What 0 means, as the end of a sentence; `nil` where it is a number like others, and for an unknown name.
    package static func meaningOfZero(of name: String) -> String? { table.first { $0.name == name }?.meaningOfZero }

    /// The words that a setting allows; none for one that takes numbers, or an unknown name.
    public static func words(of name: String) -> [String] {
        switch table.first(where: { $0.name == name })?.domain {
        case .word(let words): words
        case .flag: ["true", "false"]
        case .integer, .size, .rate, .seconds, .names, nil: []
        }
    }

    /// Reads a name and a value as people write them.
    ///
    /// - Throws: For an unknown name, with those that resemble it; for a bad value, with what is allowed.
    public static func parse(_ name: String, _ text: String) throws(SettingError) -> SettingChange {
        let definition = try definition(of: name)
        guard let value = definition.parse(text) else {
            let given = text.isEmpty ? "nothing" : "\"\(text)\""
            throw SettingError(message: "\(name) can be \(definition.wanted), not \(given)")
        }
        return SettingChange(name: name, value: value)
    }

    /// Takes a value that a program gives as a number with a fraction, or a very large one.
    ///
    /// - Throws: For an unknown name, and a value that is not allowed.
    static func parse(_ name: String, _ number: Double) throws(SettingError) -> SettingChange {
        let definition = try definition(of: name)
        let value = SettingValue.seconds(number)
        guard definition.allows(value) else {
            throw SettingError(message: "\(name) can be \(definition.wanted), not \(value.text)")
        }
        return SettingChange(name: name, value: value)
    }

    /// Changes one setting.
    ///
    /// - Returns: The values before and after; `nil` if they are equal.
    /// - Throws: For an unknown name, a value that is not allowed, and one that contradicts another setting.
    public mutating func apply(_ change: SettingChange) throws(SettingError) -> (from: SettingValue, to: SettingValue)?
    {
        let definition = try Self.definition(of: change.name)
        guard definition.allows(change.value) else {
            throw SettingError(message: "\(change.name) can be \(definition.wanted)")
        }
        var changed = self
        definition.set(&changed, change.value)
        let (from, to) = (definition.get(self), definition.get(changed))
        guard from != to else { return nil }
        try changed.checkTogether()
        self = changed
        return (from, to)
    }

    /// Changes several settings in one step, so that only their end has to be free of contradiction.
    ///
    /// - Throws: As ``apply(_:)``; then nothing is changed.
    public mutating func apply(_ changes: [SettingChange]) throws(SettingError) {
        var changed = self
        for change in changes {
            let definition = try Self.definition(of: change.name)
            guard definition.allows(change.value) else {
                throw SettingError(message: "\(change.name) can be \(definition.wanted)")
            }
            definition.set(&changed, change.value)
        }
        try changed.checkTogether()
        self = changed
    }

    /// Asks whether a pipeline can be made with them, for a program that sets them one by one.
    ///
    /// - Throws: For a value that is not allowed, and for one that contradicts another setting.
    public func check() throws(SettingError) {
        for definition in Self.table where !definition.allows(definition.get(self)) {
            throw SettingError(message: "\(definition.name) can be \(definition.wanted)")
        }
        try checkTogether()
    }

    /// The rules between settings.
    private func checkTogether() throws(SettingError) {
        guard cacheCapacity > 0, cachePreferred > cacheCapacity else { return }
        throw SettingError(
            message: "cachePreferred, \(ByteCount.text(cachePreferred)), is more than cacheCapacity,"
                + " \(ByteCount.text(cacheCapacity)): what a purge leaves must fit"
        )
    }

    /// The default of each setting in words that it can be set with, but for `no limit`, which is 0.
    ///
    /// Where the default is nothing at all, there is none. Made once: every option asks for its own, again and again.
    public static let usual: [String: String] = {
        let settings = Settings()
        var usual: [String: String] = [:]
        for definition in table {
            switch (definition.domain, definition.get(settings)) {
            case (.size, .integer(let size)), (.rate, .integer(let size)):
                usual[definition.name] = size == 0 ? "no limit" : ByteCount.text(size)
            case (.seconds, .seconds(let time)): usual[definition.name] = DecimalNumber.text(time) + " s"
            case (_, let value): if !value.text.isEmpty { usual[definition.name] = value.text }
            }
        }
        return usual
    }()

    static func definition(of name: String) throws(SettingError) -> SettingDefinition {
        if let definition = table.first(where: { $0.name == name }) { return definition }
        let offer = EditDistance.offer(names(near: name)) ?? "they are \(names.joined(separator: " "))"
        throw SettingError(message: "there is no setting \(name); \(offer)")
    }

    private static func names(near name: String) -> [String] {
        let word = name.filter { $0 != "-" && $0 != "_" }
        return EditDistance.nearest(to: word, among: names, or: EditDistance.holds)
    }

    private static let table: [SettingDefinition] = [
        .integer("maxActive", Settings.slotRange, \.maxActive),
        .integer("maxPerHost", 0...64, \.maxPerHost, zero: .noLimit),
        .word("order", \.order),
        .flag("suspended", \.suspended),
        .word("lastReceipt", \.lastReceipt),
        .word("policy", \.policy),
        .size("cacheCapacity", \.capacityAlone),
        .size("cachePreferred", \.cachePreferred, zero: .nothing("a purge leaves nothing")),
        .flag("memoryFreshOnly", \.memoryFreshOnly),
        .word("decode", \.decode),
        .integer("maxPixels", 1...1_000_000_000_000, \.maxPixels),
        .size("httpCapacity", \.httpCapacity),
        .size("httpMemory", \.httpMemory),
        .rate("limitRate", \.limitRate),
        .seconds("timeout", \.timeout, zero: .noLimit),
        .seconds("connectTimeout", \.connectTimeout, zero: .usual),
        .integer("retries", 0...100, \.retries),
        .seconds("maxRetryAfter", \.maxRetryAfter, zero: .noLimit),
        .seconds("failedFor", \.failedFor, zero: .nothing("none is remembered")),
        .size("maxFileSize", \.maxFileSize),
        .flag("indicatorEnabled", \.indicatorEnabled),
        .seconds("activationDelay", \.activationDelay),
        .seconds("completionDelay", \.completionDelay),
        .word("acceptOnly", \.acceptOnly),
        .names("keyFilter", \.keyFilter),
        .word("onExists", \.onExists),
    ]
}

extension SettingValue {
    /// The value as people read and write it: bytes and seconds as plain numbers.
    public var text: String {
        switch self {
        case .integer(let number): "\(number)"
        case .seconds(let number): DecimalNumber.text(number)
        case .flag(let flag): flag ? "true" : "false"
        case .word(let word): word
        case .list(let names): names.joined(separator: ",")
        }
    }
}
