internal import Glibc
internal import SluiceCore

/// Says what is wrong on standard error.
///
/// - Returns: The status to be thrown; by default that of a command line that can't be carried out.
func complain(_ message: String, status: ExitStatus = .usage) -> ExitStatus {
    note(message)
    return status
}

/// Says on standard error what the user did not ask for but should know.
func note(_ message: String) {
    let lines = message.split(separator: "\n", omittingEmptySubsequences: false).map { String($0).withVisibleControls }
    _ = EventWriter.writeAll(Array("sluice: \(lines.joined(separator: "\n"))\n".utf8), to: STDERR_FILENO)
}
