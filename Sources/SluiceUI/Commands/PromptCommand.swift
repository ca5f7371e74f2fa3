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
    /// What is selected and is not paused; unlike its key it lets nothing go on.
    case pause
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
