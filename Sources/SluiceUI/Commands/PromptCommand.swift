internal import SluiceCore

/// What a `:` command asks for, its argument read and checked.
enum PromptCommand: Equatable, Sendable {
    /// The same as a key.
    case key(KeyAction)
    case set([SettingChange])
    /// Says what a setting is.
    case tell(String)
    /// As if it were typed without the command.
    case add(String)
    case importList(String)
    case prefetchList(String)
    case filter(String)
    case find(String)
    case selectNone
    /// Goes to the next or, with -1, to the previous of what the focused panel is about.
    case turn(Int)
    case sort(RowSort)
    case resume
    case resumeAll
    /// Without asking, whatever is under way.
    case quitNow
    case pauseAll
    /// The selected failure is remembered no longer.
    case forget
    case forgetAll
    /// The task goes on with this URL.
    case replaceURL(String)
    /// In bytes a second; 0 lifts the limit.
    case limitTasks(Int)
    case setPriority(Priority)
    case preset(Layout.Preset)
    case mouse(Bool)
    /// A theme by its name; empty tells which one it is.
    case theme(String)
    /// Looks at the certificates of a host.
    case trust(String)
    /// Keeps keys for a host, after asking.
    case pin(String, [String])
}

/// Why a command can't be meant, and which cluster of the line is to blame.
struct CommandError: Error, Equatable {
    let message: String
    /// Of the text behind the colon.
    let place: Int
}

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

/// One row of the table of commands.
struct CommandDefinition: Sendable {
    let name: String
    let argument: CommandArgument
    /// For the help and the manual; `nil` for the settings, which share one row.
    let help: String?
    /// Whether it does nothing that a key does not, so that the help needs no row for it.
    var isKey = false
    /// Reads the argument, which has no blanks at its ends.
    let read: @Sendable (String) throws(CommandError) -> PromptCommand
}
