internal import ArgumentParser
internal import SluiceCore

/// `sluice man`: the manual page, made of what `--help` says; for packagers.
struct ManCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "man",
        abstract: "Print the manual page: sluice man > sluice.1"
    )

    func run() throws { try StandardOutput.write(Array(ManualPage.text.utf8)) }
}
