/// Why a file is no recording; a sentence, and the line that it is about.
public struct RecordingError: Error, Equatable, Sendable {
    /// From 1; `nil` if it is about the whole.
    public let line: Int?
    public let message: String

    public init(line: Int?, message: String) { (self.line, self.message) = (line, message) }
}
