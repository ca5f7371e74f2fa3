/// Why a file is no recording; a sentence, and the line that it is about.
public struct RecordingError: Error, Equatable, Sendable {
    /// From 1; `nil` if it is about the whole.
    public let line: Int?
    /// A sentence without a full stop; it does not repeat the line.
    public let message: String

    /// What is wrong, and where.
    public init(line: Int?, message: String) { (self.line, self.message) = (line, message) }
}
