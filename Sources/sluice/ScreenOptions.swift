internal import ArgumentParser
internal import Glibc
internal import SluiceCore
internal import SluiceSystem
internal import SluiceTerminal
internal import SluiceUI

/// How the dashboard uses the terminal.
struct ScreenOptions: ParsableArguments {
    @OptionGroup var color: ColorOption

    @Option(
        help: ArgumentHelp(
            "Colours: auto, dark, light, contrast, mono, or a theme of the configuration. auto asks the terminal for its background.",
            valueName: "name"
        ),
        completion: .list(ThemeChoice.names)
    )
    var theme: String?

    @Flag(inversion: .prefixedNo, help: "Draw with ASCII characters only.")
    var ascii: Bool?

    @Flag(
        inversion: .prefixedNo,
        help: "Tell everything in plain lines, for screen readers: no picture, no cursor movement."
    )
    var plain: Bool?

    /// Whether the terminal says that it shows lines only, as those of editors do.
    static var isDumb: Bool { Environment.variable("TERM") == "dumb" }

    /// The theme that was asked for.
    ///
    /// - Throws: ``ExitStatus`` after a message, if there is no such theme, or the configuration describes it wrongly.
    func themeChoice(in configuration: Configuration) throws -> ThemeChoice {
        let name = theme ?? "auto"
        var names = ThemeChoice.names
        do throws(ConfigurationError) {
            if let choice = try ThemeFile.theme(name, in: configuration.file) { return choice }
            names += try ThemeFile.names(in: configuration.file)
        } catch {
            throw complain(error.message)
        }
        throw complain("there is no theme \(VisibleText.visible(name)); there are \(names.joined(separator: " "))")
    }

    /// The themes that the configuration describes.
    ///
    /// - Throws: ``ExitStatus`` after a message, if one is described wrongly.
    func ownThemes(in configuration: Configuration) throws -> [ThemeChoice] {
        do throws(ConfigurationError) {
            var themes: [ThemeChoice] = []
            for name in try ThemeFile.names(in: configuration.file) {
                if let theme = try ThemeFile.theme(name, in: configuration.file) { themes.append(theme) }
            }
            return themes
        } catch {
            throw complain(error.message)
        }
    }

    /// Says what the terminal can do, and how it should be drawn on; `capabilities` are `nil` without a screen.
    func describe(
        _ capabilities: CursesScreen.Capabilities?,
        _ theme: ThemeChoice,
        in configuration: inout DashboardConfiguration
    ) {
        configuration.colorDepth = ColorDepth(colors: color.usesColor ? capabilities?.colors ?? 0 : 0)
        configuration.hasTrueColor = capabilities?.hasTrueColor ?? false
        configuration.isASCII = usesASCII(capabilities)
        configuration.theme = theme
        configuration.isRemote = !(Environment.variable("SSH_CONNECTION") ?? "").isEmpty
    }

    /// Whether all is to be ASCII; without a screen, which knows its terminal, the environment says so of lines.
    func usesASCII(_ capabilities: CursesScreen.Capabilities?) -> Bool {
        let terminal = capabilities?.terminal ?? Environment.variable("TERM") ?? ""
        return ascii == true || TerminalName.isASCII(terminal) || !(capabilities?.isUnicode ?? TerminalLocale.isUnicode)
    }

    /// Takes what neither command line nor environment say from the configuration.
    mutating func fill(_ defaults: Configuration.Defaults) {
        color.fill(defaults)
        theme = theme ?? defaults.theme
        ascii = ascii ?? defaults.ascii
        plain = plain ?? defaults.plain
    }

    /// Refuses events and log where the dashboard draws.
    static func check(events: String?, log: String? = nil) throws {
        try check("--events", events, "the events")
        try check("--log", log, "the log")
    }

    private static func check(_ option: String, _ file: String?, _ what: String) throws {
        guard file != "-" || isatty(STDOUT_FILENO) == 0 else {
            throw ValidationError("\(option) - would write over the dashboard; send \(what) to a file.")
        }
    }
}
