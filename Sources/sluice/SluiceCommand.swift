internal import ArgumentParser
internal import CLinux
internal import Glibc
internal import SluiceCore
internal import SluiceCurl

/// The program's entry: picks the command, and ends with one of the exit statuses of the rules (docs, Rules).
@main
struct SluiceCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sluice",
        abstract: "A terminal dashboard that really downloads.",
        usage: """
            sluice [<options>] [<urls> ...]
            sluice <subcommand>
            """,
        discussion: """
            Without a command, sluice opens the dashboard; URLs given with it are submitted at once. \
            Equal requests merge into one download, a few run, the rest queue.

            sluice dashboard --help names the options of the dashboard, sluice get --help those of get. \
            sluice man prints the manual, sluice --generate-completion-script bash (or zsh, fish) completions.
            """,
        version: "sluice \(Version.current)",
        subcommands: [
            DashboardCommand.self, GetCommand.self, DemoCommand.self, ReplayCommand.self, ControlCommand.self,
            AddCommand.self, CacheCommand.self, TrustCommand.self, ManCommand.self,
        ],
        defaultSubcommand: DashboardCommand.self
    )

    static func main() {
        // What is closed would else be the number of the first file or socket that is opened.
        sluice_open_standard_descriptors()
        signal(SIGPIPE, SIG_IGN)
        do {
            try UTF8Check.run()
            let arguments = Array(CommandLine.arguments.dropFirst())
            try checkValues(arguments)
            var command = try read(TrustOptions.withoutOptionalValues(arguments))
            try raiseDescriptorLimit()
            try command.run()
        } catch let status as ExitStatus {
            Glibc.exit(status.rawValue)
        } catch {
            // Help and version are no errors; everything else is an invalid command line.
            let isHelp = exitCode(for: error) == .success
            let lines = fullMessage(for: error).split(separator: "\n", omittingEmptySubsequences: false)
            let text = lines.map { String($0).withVisibleControls }.joined(separator: "\n")
            if isHelp { Glibc.exit(StandardOutput.write(lines: [text], endingWith: .success).rawValue) }
            _ = EventWriter.writeAll(Array((text + "\n").utf8), to: STDERR_FILENO)
            Glibc.exit(ExitStatus.usage.rawValue)
        }
    }

    /// Refuses `--option=` with nothing behind it: the parser would take the next word for its value.
    private static func checkValues(_ arguments: [String]) throws {
        for word in arguments.prefix(while: { $0 != "--" })
        where word.hasPrefix("--") && word.firstIndex(of: "=") == word.indices.last {
            let option = word.dropLast()
            // Nothing there would mean all hosts.
            let isHost = option == "--insecure"
            let empty = isHost ? "leave the = out for all hosts" : "write \(option) '' if it shall be empty"
            throw complain("\(word) has no value: give one, or \(empty)")
        }
    }

    /// With what the dashboard has open itself, and the files and connections of as many downloads as usually run.
    private static let fewestDescriptors: Int32 = 48

    /// Lets the process open as many files as the system allows, up to what it can use.
    ///
    /// - Throws: ``ExitStatus`` after a message, if they are too few for the usual slots.
    private static func raiseDescriptorLimit() throws {
        let limit = sluice_raise_descriptor_limit(8_192)
        guard limit < fewestDescriptors else { return }
        throw complain("only \(limit) files may be open at once, which is too few: allow more with ulimit -n 256")
    }

    /// Makes a command of the words of the command line.
    ///
    /// The way over the root asks every command for all its options, again and again, which is a third of what a
    /// start costs. So the command that is meant is asked alone; only what it can't read takes the long
    /// way, which knows all commands, and so has the right message.
    private static func read(_ arguments: [String]) throws -> any ParsableCommand {
        guard let meant = meant(by: arguments) else { return try parseAsRoot(arguments) }
        let isNamed = meant.configuration.commandName == arguments.first
        func parse() throws -> any ParsableCommand {
            let words = Array(arguments.dropFirst(isNamed ? 1 : 0))
            let runs = meant is any URLArguments.Type ? URLRuns(words) : nil
            let command = try? meant.parseAsRoot(runs?.words ?? words)
            guard let command, type(of: command) == meant else { return try parseAsRoot(arguments) }
            guard let runs, var listing = command as? any ParsableCommand & URLArguments else { return command }
            listing.urls = runs.whole(listing.urls)
            return listing
        }
        // The others never make a transport.
        let downloads = meant == GetCommand.self || meant == DashboardCommand.self || meant == DemoCommand.self
        return downloads ? try CurlPreparation.run(beside: parse) : try parse()
    }

    /// The command that the words name; `nil` if that takes a closer look.
    private static func meant(by arguments: [String]) -> (any ParsableCommand.Type)? {
        for command in configuration.subcommands {
            guard let name = command.configuration.commandName else { continue }
            if name == arguments.first { return command.configuration.subcommands.isEmpty ? command : nil }
            if arguments.contains(name) { return nil }
        }
        return arguments.contains("help") ? nil : DashboardCommand.self
    }
}
