internal import CLinux
internal import CNcurses
internal import SluiceSystem

/// Prepares ncurses for colours of 24 bits, on terminals that have them.
///
/// Hardly any system describes such a terminal, so the description of the one at hand is
/// changed in memory, and given to ncurses by the variable that names descriptions.
public enum TrueColor {
    /// Terminals that have them, whatever the environment says.
    private static let known = ["xterm-kitty", "xterm-ghostty", "alacritty", "foot", "wezterm", "contour"]

    /// Changes the environment, so call it before any thread is started.
    ///
    /// Does nothing where the terminal has no such colours, or nobody knows.
    public static func prepare() {
        guard isLikely(Environment.variable), let terminal = Environment.variable("TERM"),
            let entry = entry(TerminalName.descriptions(of: terminal))
        else { return }
        // What the user had set still counts for other names, and for programs that are started.
        if let old = Environment.variable("TERMINFO"), !old.isEmpty {
            let others = Environment.variable("TERMINFO_DIRS") ?? ""
            unsafe setenv("TERMINFO_DIRS", old + ":" + others, 1)
        }
        unsafe setenv("TERMINFO", entry.asVariable, 1)
    }

    /// Whether the entry was prepared.
    static var isPrepared: Bool { Environment.variable("TERMINFO")?.hasPrefix("b64:") ?? false }

    /// - Parameter variable: Reads an environment variable.
    /// - Returns: `false` where nobody knows.
    static func isLikely(_ variable: (String) -> String?) -> Bool {
        let terminal = variable("TERM") ?? ""
        if ["truecolor", "24bit"].contains(variable("COLORTERM") ?? "") { return true }
        // tmux translates for the terminal outside of it.
        return terminal.hasPrefix("tmux") || TerminalName.isDirect(terminal)
            || known.contains { terminal.hasPrefix($0) }
    }

    /// Of the first of the descriptions that is installed; `nil` if there is none, or it has too few colours.
    private static func entry(_ descriptions: [String]) -> TerminalDescription? {
        guard descriptions.contains(where: { unsafe sluice_describe($0) }) else { return nil }
        defer { sluice_forget_description() }
        let places = TerminalDescription.Places(
            flags: unsafe names { unsafe sluice_flag_name($0) },
            numbers: unsafe names { unsafe sluice_number_name($0) },
            strings: unsafe names { unsafe sluice_string_name($0) }
        )
        var entry = TerminalDescription(
            flags: places.flags.map { unsafe tigetflag($0) > 0 },
            numbers: places.numbers.map { unsafe max(-1, tigetnum($0)) },
            strings: places.strings.map { name in
                guard let text = unsafe sluice_capability(name) else { return nil }
                return unsafe Array(UnsafeRawBufferPointer(start: text, count: strlen(text)))
            }
        )
        return entry.useTrueColor(places) ? entry : nil
    }

    private static func names(_ name: (Int32) -> UnsafePointer<CChar>?) -> [String] {
        var names: [String] = []
        while let text = unsafe name(Int32(names.count)) { unsafe names.append(String(cString: text)) }
        return names
    }
}
