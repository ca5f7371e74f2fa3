internal import Glibc

/// What a command prints: it gets there, or the command fails and says why.
///
/// Who reads no more, as `head` does, has what it wants: that is no failure. Nor is one that does not read while the
/// program is told to end.
enum StandardOutput {
    /// - Parameters:
    ///   - text: With its line breaks.
    ///   - stop: Ends the wait for a reader that does not read; `nil` waits as long as that takes.
    /// - Returns: Whether somebody still reads.
    /// - Throws: ``ExitStatus`` after a message, if there is no room for it.
    @discardableResult
    static func write(_ text: [UInt8], stop: OutputStop? = nil) throws -> Bool {
        if EventWriter.writeAll(text, to: STDOUT_FILENO, stop: stop) { return true }
        // 0 says that it was stopped.
        if errno == EPIPE || errno == 0 { return false }
        let reason = unsafe String(cString: strerror(errno))
        throw complain("can't write to standard output: \(reason)", status: .failures)
    }

    /// The same for lines, which have no breaks.
    @discardableResult
    static func write(lines: [String], stop: OutputStop? = nil) throws -> Bool {
        lines.isEmpty ? true : try write(Array((lines.joined(separator: "\n") + "\n").utf8), stop: stop)
    }

    /// The last lines of a session.
    ///
    /// - Parameters:
    ///   - lines: Without breaks.
    ///   - status: How it ended.
    ///   - stop: As for ``write(_:stop:)``.
    /// - Returns: The same, unless all went well and this could not be said.
    static func write(lines: [String], endingWith status: ExitStatus, stop: OutputStop? = nil) -> ExitStatus {
        do {
            try write(lines: lines, stop: stop)
            return status
        } catch {
            return status == .success ? error as? ExitStatus ?? .failures : status
        }
    }
}
