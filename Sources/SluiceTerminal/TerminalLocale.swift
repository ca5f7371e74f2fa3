internal import CNcurses

/// What the locale of the environment can show, for lines that are written without a screen.
///
/// Changes nothing in the process: other threads may run already.
public enum TerminalLocale {
    /// Whether it is UTF-8; one that is not installed is none.
    public static var isUnicode: Bool { sluice_environment_is_unicode() }
}
