/// What a terminal can do beyond what its description says, guessed from its names.
///
/// Nothing is asked of the terminal: an answer would come late, or never. Where a wrong
/// guess would be seen, it guesses no.
struct TerminalFeatures: Equatable {
    /// Private modes: bracketed paste, focus reports, synchronised output.
    let hasModes: Bool
    /// The window's title can be set, kept and put back.
    let hasTitle: Bool
    /// Whether OSC 9;4 is understood; others take OSC 9 for a notification, which would pop up.
    let hasProgress: Bool

    /// - Parameters:
    ///   - terminal: The value of `TERM`.
    ///   - variable: Reads an environment variable.
    init(terminal: String, variable: (String) -> String?) {
        let plain = ["linux", "dumb", "ansi", "cons", "sun", "hurd", "mach", "pcansi", "cygwin", "unknown"]
        hasModes = !TerminalName.isVideoTerminal(terminal) && !plain.contains { terminal.hasPrefix($0) }
        hasTitle = hasModes
        let program = variable("TERM_PROGRAM") ?? ""
        hasProgress =
            hasModes
            && (terminal.hasSuffix("ghostty") || ["ghostty", "WezTerm"].contains(program)
                || variable("WT_SESSION") != nil || variable("ConEmuANSI") == "ON"
                || (variable("VTE_VERSION").flatMap(Int.init) ?? 0) >= 7_900)
    }
}
