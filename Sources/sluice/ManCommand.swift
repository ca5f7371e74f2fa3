internal import ArgumentParser
internal import Glibc
internal import SluiceCore

/// `sluice man`: the manual page, made of what `--help` says; for packagers.
struct ManCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "man",
        abstract: "Print the manual page: sluice man > sluice.1",
        shouldDisplay: false
    )

    func run() throws {
        _ = EventWriter.writeAll(Array(ManualPage.text.utf8), to: STDOUT_FILENO)
    }
}

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
        for command in SluiceCommand.configuration.subcommands where command.configuration.shouldDisplay {
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
        [[headers]] sections add, replace and remove request headers of a host.
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
        Where configuration, cache, sessions and the control socket are.
        .SH EXIT STATUS
        0 if every request succeeded, 1 if some failed, 2 if the command line can't be meant, 7 if stopped with \
        unfinished work, 9 on a full disk.

        """

    private static func line(_ text: String) -> String { escaped(text) + "\n" }

    /// Text as roff shows it: hyphens that can be copied, nothing that is a request.
    private static func escaped(_ text: String) -> String {
        let plain = text.replacing("\\", with: "\\e").replacing("-", with: "\\-")
        return plain.hasPrefix(".") || plain.hasPrefix("'") ? "\\&" + plain : plain
    }
}

/// A help text in its parts.
struct HelpText {
    struct Item {
        var label: String
        var text: String
    }
    struct Block {
        var title: String
        var items: [Item] = []
    }

    private(set) var overview: [String] = []
    /// As the usage writes them, optional ones in brackets.
    private(set) var operands: [String] = []
    private(set) var blocks: [Block] = []

    /// - Parameter help: Wide enough that no line is broken.
    init(_ help: String) {
        for line in help.split(separator: "\n", omittingEmptySubsequences: true) {
            let indent = line.prefix { $0 == " " }.count
            let text = line.dropFirst(indent)
            if indent == 0 {
                if text.hasSuffix(":"), !text.contains(where: \.isLowercase) {
                    blocks.append(Block(title: String(text.dropLast())))
                } else if text.hasPrefix("OVERVIEW: ") {
                    overview.append(String(text.dropFirst(10)))
                } else if text.hasPrefix("USAGE: ") {
                    operands = Self.operands(of: text)
                } else if blocks.isEmpty {
                    overview.append(String(text))
                }
            } else if blocks.isEmpty {
                if operands.isEmpty { overview.append("  " + text) }
            } else {
                add(text, isLabel: indent == 2)
            }
        }
        blocks.removeAll { $0.items.isEmpty }
    }

    /// The words of a usage that are neither options nor their values.
    private static func operands(of usage: Substring) -> [String] {
        var found: [String] = []
        var isValue = false
        for word in usage.split(separator: " ") {
            if isValue {
                isValue = false
            } else if word.hasPrefix("[--") || word.hasPrefix("--") {
                isValue = !word.hasSuffix("]")
            } else if word == "...]", let last = found.popLast() {
                found.append(last + " ...]")
            } else if word.hasPrefix("<") || word.hasPrefix("[<"), word != "[<options>]" {
                found.append(String(word))
            }
        }
        return found
    }

    /// Characters of a label and the space behind it, at most, where the text follows on the same line.
    private static let labelWidth = 24

    private mutating func add(_ text: Substring, isLabel: Bool) {
        let last = blocks.count - 1
        guard isLabel else {
            guard let item = blocks[last].items.indices.last else { return }
            let old = blocks[last].items[item].text
            blocks[last].items[item].text = old.isEmpty ? String(text) : old + " " + text
            return
        }
        let column = text.prefix(Self.labelWidth)
        // A label that just fits has one space behind it; a longer one has a line of its own.
        let isFull = column.last == " " && text.dropFirst(Self.labelWidth).first?.isLetter == true
        let label = isFull ? column.dropLast() : text.firstRange(of: "  ").map { text[..<$0.lowerBound] } ?? text
        let rest = text.dropFirst(label.count).drop { $0 == " " }
        blocks[last].items.append(Item(label: String(label), text: String(rest)))
    }
}
