internal import SluiceCore

/// Settings as sentences write them.
///
/// What a setting is comes from its definition; only the words are made here.
enum SettingText {
    /// A value beside the prompt: a time in the seconds in which it is typed.
    static func typed(_ name: String, _ value: SettingValue) -> String {
        if case .seconds(let seconds) = value, seconds != 0 { "\(value.text) s" } else { text(name, value) }
    }

    static func text(_ name: String, _ value: SettingValue) -> String {
        switch value {
        case .integer(0), .seconds(0):
            zero(name)
        case .integer(let number) where isSize(name):
            Format.limit(number).text + (isRate(name) ? "/s" : "")
        case .integer(let number): Format.count(number)
        // Short ones are set to the hundredth, and of long ones no minutes are known.
        case .seconds(let seconds) where seconds < 60 || seconds != seconds.rounded() || seconds >= 360_000:
            "\(value.text) s"
        case .seconds(let seconds): Format.seconds(.seconds(seconds))
        case .flag(let flag): flag ? "on" : "off"
        case .word(let word): word
        case .list(let names): names.isEmpty ? "none" : names.joined(separator: ", ")
        }
    }

    /// What 0 does; most often it takes a limit away.
    private static func zero(_ name: String) -> String {
        guard let kind = Settings.kind(of: name) else { return "0" }
        return switch (kind.zero, kind.unit) {
        case (.noLimit, _): "no limit"
        case (.nothing, .seconds): "off"
        case (.itself, .seconds): "0 s"
        case (_, .size), (_, .rate): "0 B"
        default: "0"
        }
    }

    /// What a setting allows, with what 0 does wherever that is not plain from the setting itself.
    static func allowed(_ name: String) -> String? {
        Settings.allowed(name).map { isList(name) ? "\($0), or none" : $0 }
    }

    /// The same in few words, which have room beside keys in a line of 80 columns.
    static func allowedInBrief(_ name: String) -> String? {
        isList(name) ? allowed(name) : Settings.allowedInBrief(name)
    }

    /// What a size looks like, for who typed none: in few words, which have room beside the mark under what was typed.
    ///
    /// `nil` for what is no size.
    static func refusal(ofSize name: String) -> String? {
        guard isSize(name) else { return nil }
        let zero = Settings.meaningOfZero(of: name).map { "; 0 means \($0)" } ?? ""
        return "\(isRate(name) ? "a size a second" : "a size") can follow, as 200K or 2M\(zero)"
    }

    /// Whether it takes any number of words.
    static func isList(_ name: String) -> Bool { Settings.kind(of: name)?.unit == .names }

    /// Whether a number without a unit means bytes, or bytes a second.
    static func isSize(_ name: String) -> Bool { Settings.kind(of: name)?.isSize == true }

    private static func isRate(_ name: String) -> Bool { Settings.kind(of: name)?.unit == .rate }
}
