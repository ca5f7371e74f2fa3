internal import ArgumentParser
internal import Glibc
internal import SluiceCore

/// The program's entry: picks the command, and ends with the exit status that SPEC §11 names.
@main
struct SluiceCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sluice",
        abstract: "A terminal dashboard that really downloads.",
        discussion: """
            Without a command, sluice opens the dashboard; URLs given with it are submitted at once. \
            Equal requests merge into one download, a few run, the rest queue.
            """,
        version: "sluice \(Version.current)",
        subcommands: [
            DashboardCommand.self, GetCommand.self, DemoCommand.self, ControlCommand.self, AddCommand.self,
            CacheCommand.self, TrustCommand.self, ManCommand.self,
        ],
        defaultSubcommand: DashboardCommand.self
    )

    static func main() {
        signal(SIGPIPE, SIG_IGN)
        do {
            var command = try parseAsRoot(
                TrustOptions.withoutOptionalValues(Array(CommandLine.arguments.dropFirst()))
            )
            try command.run()
        } catch let status as ExitStatus {
            Glibc.exit(status.rawValue)
        } catch {
            // Help and version are no errors; everything else is a command line that can't be meant.
            let isHelp = exitCode(for: error) == .success
            let lines = fullMessage(for: error).split(separator: "\n", omittingEmptySubsequences: false)
            let text = lines.map { String($0).withVisibleControls }.joined(separator: "\n")
            _ = EventWriter.writeAll(Array((text + "\n").utf8), to: isHelp ? STDOUT_FILENO : STDERR_FILENO)
            Glibc.exit(isHelp ? 0 : ExitStatus.usage.rawValue)
        }
    }
}

/// Sluice's version, as `--version`, events and `User-Agent` say it.
enum Version {
    static let current = "0.1.0"
}

/// How the program ends; thrown to end it.
struct ExitStatus: Error, Equatable {
    let rawValue: Int32

    static let success = ExitStatus(rawValue: 0)
    /// Some requests failed.
    static let failures = ExitStatus(rawValue: 1)
    /// Unknown options, bad values, no input, an unreadable list: nothing was downloaded.
    static let usage = ExitStatus(rawValue: 2)
    /// Stopped by a signal with unfinished work.
    static let stopped = ExitStatus(rawValue: 7)
    static let diskFull = ExitStatus(rawValue: 9)
}
