/// What is wrong with a configuration file; the message names file, line and what is allowed.
public struct ConfigurationError: Error, Equatable, Sendable {
    /// From 1.
    public let line: Int
    public let message: String

    public init(path: String, line: Int, _ text: String) {
        (self.line, message) = (line, "\(path.withVisibleControls):\(line): \(text)")
    }
}
