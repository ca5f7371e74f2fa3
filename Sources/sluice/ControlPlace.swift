internal import ArgumentParser
internal import Glibc
internal import SluiceControl
internal import SluiceCore

/// Which running Sluice is meant.
struct ControlPlace: ParsableArguments {
    @Option(
        help: ArgumentHelp("The socket of the one that is meant; by default the only one.", valueName: "path"),
        completion: .file()
    )
    var socket: String?

    /// - Throws: ``ExitStatus`` after a message, if there is none or more than one.
    func path() throws -> String {
        if let socket { return HomeFolder.expanded(socket) }
        let folder = ControlFolder()
        let sockets = folder?.liveSockets() ?? []
        if let only = sockets.first, sockets.count == 1 { return only }
        guard sockets.isEmpty else {
            throw complain("several Sluices run; name one with --socket:\n  " + sockets.joined(separator: "\n  "))
        }
        throw complain(
            "no running Sluice was found\(folder.map { " in \($0.path)" } ?? ""); start one, or name its --socket",
            status: .failures
        )
    }
}
