extension Settings {
    /// Reads a setting from a configuration file.
    ///
    /// - Parameters:
    ///   - name: Of the setting.
    ///   - node: Its value; sizes and times may be texts with a unit, all else has its own type.
    /// - Returns: The change, allowed by itself.
    /// - Throws: For an unknown name or a bad value, with what is allowed.
    public static func parse(_ name: String, _ node: TOMLNode) throws(SettingError) -> SettingChange {
        let definition = try definition(of: name)
        let value: SettingValue? =
            switch (definition.domain, node.value) {
            case (.integer, .integer(let number)), (.size, .integer(let number)), (.rate, .integer(let number)):
                .integer(number)
            case (.seconds, .integer(let number)): .seconds(Double(number))
            case (.seconds, .float(let number)): .seconds(number)
            case (.flag, .boolean(let flag)): .flag(flag)
            case (.size, .string(let text)), (.rate, .string(let text)), (.seconds, .string(let text)),
                (.word, .string(let text)):
                definition.parse(text)
            case (.names, .string("*")): .list(["*"])
            case (.names, .array): node.strings.map(SettingValue.list)
            default: nil
            }
        guard let value, definition.allows(value) else {
            let allowed = "\(name) can be \(definition.wantedInFile)"
            guard case .names = definition.domain, let names = node.array else {
                throw SettingError(message: "\(allowed), not \(node.phrase)")
            }
            // The element that is to blame, and not the array.
            let wrong = names.first { !definition.allows(.list([$0.string ?? ""])) }
            throw SettingError(message: wrong.map { "\(allowed); \($0.phrase) is no name" } ?? "\(allowed), not both")
        }
        return SettingChange(name: name, value: value)
    }
}
