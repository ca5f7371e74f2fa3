internal import Glibc

/// What a command prints: it gets there, or the command fails and says why.
///
/// Who reads no more, as `head` does, has what it wants: that is no failure. Nor is one that does not read while the
/// program is told to end. Where events have standard output, people are told on standard error in the same way.
enum StandardOutput {
    /// - Parameters:
    ///   - text: With its line breaks.
    ///   - descriptor: Standard output or standard error.
    ///   - stop: Ends the wait for a reader that does not read; `nil` waits as long as that takes.
    /// - Returns: Whether somebody still reads.
    /// - Throws: ``ExitStatus`` after a message, if there is no room for it.
    @discardableResult
    static func write(_ text: [UInt8], to descriptor: Int32 = STDOUT_FILENO, stop: OutputStop? = nil) throws -> Bool {
        if EventWriter.writeAll(text, to: descriptor, stop: stop) { return true }
        let error = errno
        // 0 says that it was stopped.
        if error == EPIPE || error == 0 || error == EIO && isTerminal(descriptor) { return false }
        let reason = unsafe String(cString: strerror(error))
        let name = descriptor == STDERR_FILENO ? "error" : "output"
        throw complain("can't write to standard \(name): \(reason)", status: .failures)
    }

    /// Whether it is a terminal, or was one that hung up.
    private static func isTerminal(_ descriptor: Int32) -> Bool { isatty(descriptor) == 1 || errno == EIO }

    /// The same for lines, which have no breaks.
    @discardableResult
    static func write(
        lines: [String],
        to descriptor: Int32 = STDOUT_FILENO,
        stop: OutputStop? = nil
    ) throws -> Bool {
        if lines.isEmpty { return true }
        return try write(Array((lines.joined(separator: "\n") + "\n").utf8), to: descriptor, stop: stop)
    }

    /// The last lines of a session.
    ///
    /// - Parameters:
    ///   - lines: Without breaks.
    ///   - descriptor: As for ``write(_:to:stop:)``.
    ///   - status: How it ended.
    ///   - stop: As for ``write(_:to:stop:)``.
    /// - Returns: The same, unless all went well and this could not be said.
    static func write(
        lines: [String],
        to descriptor: Int32 = STDOUT_FILENO,
        endingWith status: ExitStatus,
        stop: OutputStop? = nil
    ) -> ExitStatus {
        do {
            try write(lines: lines, to: descriptor, stop: stop)
            return status
        } catch {
            return status == .success ? error as? ExitStatus ?? .failures : status
        }
    }
}
