internal import SluiceCore

/// What may follow a command's name; for completion, help and errors alike.
enum CommandArgument: Equatable, Sendable {
    case none
    /// One of these words, or nothing.
    case optional([String])
    /// One of these words; more than three are told by what they are.
    case word([String], as: String = "NAME")
    /// Text up to the end of the line.
    case text(String)
    case file
    case url(String)
    /// The name of a setting, and a value.
    case setting
    /// A value for this setting.
    case value(of: String)
    /// The name of a theme, Sluice's own or the user's.
    case theme

    /// As the manual writes it, which has room for every word.
    var fullLabel: String {
        if case .word(let words, _) = self { return " " + words.joined(separator: "|") }
        return label
    }

    /// As the screen writes it.
    var label: String {
        switch self {
        case .none: ""
        case .optional(let words): " [" + words.joined(separator: "|") + "]"
        case .word(let words, let name): words.count > 3 ? " " + name : " " + words.joined(separator: "|")
        case .text(let name), .url(let name): " " + name
        case .file: " FILE"
        case .setting: " NAME VALUE"
        case .theme: " NAME"
        case .value(let name):
            switch Settings.words(of: name) {
            case let words where words.isEmpty: " VALUE"
            case let words: " " + words.joined(separator: "|")
            }
        }
    }
}
