/// What is no TOML, and on which line.
public struct TOMLError: Error, Equatable, Sendable {
    /// From 1.
    public let line: Int
    /// What is wrong and what would be right, without the line.
    public let message: String

    /// What the reader found at a line.
    public init(line: Int, message: String) { (self.line, self.message) = (line, message) }
}
