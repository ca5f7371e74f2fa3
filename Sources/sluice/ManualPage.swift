internal import ArgumentParser

/// The manual page in roff, from the help texts of all commands, so that it can't fall behind them.
enum ManualPage {
    static var text: String {
        var page = """
            .TH SLUICE 1 "" "sluice \(Version.current)" "User Commands"
            .SH NAME
            sluice \\- a terminal dashboard that really downloads
            .SH SYNOPSIS
            .B sluice
            [\\fIURL\\fR...] [\\fIoptions\\fR]

            """
        var commands = ""
        for command in SluiceCommand.configuration.subcommands {
            let name = command.configuration.commandName ?? ""
            let help = HelpText(SluiceCommand.helpMessage(for: command, columns: 10_000))
            let operands = help.operands.map { " \\fI\(escaped($0))\\fR" }.joined()
            page += ".br\n.B sluice \(escaped(name))\n[\\fIoptions\\fR]\(operands)\n"
            commands += section(name, help)
        }
        page += ".SH DESCRIPTION\n"
        for text in [SluiceCommand.configuration.abstract, SluiceCommand.configuration.discussion] {
            page += line(text) + ".PP\n"
        }
        return page + commands + files
    }

    private static func section(_ name: String, _ help: HelpText) -> String {
        var text = ".SH SLUICE \(escaped(name.uppercased()))\n"
        for line in help.overview {
            // What is indented is a list, a line each.
            text += line.hasPrefix("  ") ? ".br\n" + self.line(line) : ".PP\n" + self.line(line)
        }
        for block in help.blocks {
            text += ".SS \(escaped(block.title))\n"
            for item in block.items { text += ".TP\n.B \(escaped(item.label))\n" + line(item.text) }
        }
        return text
    }

    private static let files = """
        .SH FILES
        .TP
        .I $XDG_CONFIG_HOME/sluice/config.toml
        Settings and defaults under the names of the options, such as maxActive for \\-\\-max\\-active; \
        [[headers]] sections add, replace and remove request headers of a host, [[trust]] sections say whom to believe, \
        [keys] binds keys, and [themes.NAME] makes colours.
        .TP
        .I $XDG_STATE_HOME/sluice
        The sessions, which go on at the next start, and the history of the prompt.
        .TP
        .I $XDG_CACHE_HOME/sluice
        The HTTP cache.
        .TP
        .I $XDG_RUNTIME_DIR/sluice/PID.sock
        Where programs steer a dashboard.
        .SH ENVIRONMENT
        .TP
        .B http_proxy https_proxy all_proxy no_proxy
        The proxies, unless \\-\\-proxy names one, and the hosts that are asked directly.
        .TP
        .B NO_COLOR
        No colours, unless \\-\\-color says otherwise.
        .TP
        .B NETRC
        The file that \\-\\-netrc reads.
        .TP
        .B XDG_CONFIG_HOME XDG_CACHE_HOME XDG_STATE_HOME XDG_RUNTIME_DIR
        Where configuration, cache, sessions and the control socket are; else in ~/.config, ~/.cache and ~/.local/state.
        .SH EXIT STATUS
        0 if every request succeeded, 1 if some failed, 2 if the command line is invalid, 7 if stopped with \
        unfinished work, 9 on a full disk, 128 and its number if a second signal ended it at once.

        """

    private static func line(_ text: String) -> String { escaped(text) + "\n" }

    /// Text as roff shows it: hyphens that can be copied, nothing that is a request.
    private static func escaped(_ text: String) -> String {
        let plain = text.replacing("\\", with: "\\e").replacing("-", with: "\\-")
        return plain.hasPrefix(".") || plain.hasPrefix("'") ? "\\&" + plain : plain
    }
}
