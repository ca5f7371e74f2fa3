internal import Glibc

/// What a command prints: it gets there, or the command fails and says why.
///
/// Who reads no more, as `head` does, has what it wants: that is no failure.
enum StandardOutput {
    /// - Parameter text: With its line breaks.
    /// - Returns: Whether somebody still reads.
    /// - Throws: ``ExitStatus`` after a message, if there is no room for it.
    @discardableResult
    static func write(_ text: [UInt8]) throws -> Bool {
        if EventWriter.writeAll(text, to: STDOUT_FILENO) { return true }
        try check(errno)
        return false
    }

    /// The same for lines, which have no breaks.
    @discardableResult
    static func write(lines: [String]) throws -> Bool {
        lines.isEmpty ? true : try write(Array((lines.joined(separator: "\n") + "\n").utf8))
    }

    private static func check(_ number: Int32) throws {
        if number == EPIPE { return }
        let reason = unsafe String(cString: strerror(number))
        throw complain("can't write to standard output: \(reason)", status: .failures)
    }
}
