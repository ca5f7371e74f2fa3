/// What is wrong with a configuration file; the message names file, line and what is allowed.
public struct ConfigurationError: Error, Equatable, Sendable {
    /// From 1.
    public let line: Int
    /// A whole sentence, file and line in front: `config.toml:3: …`.
    public let message: String

    /// Puts file and line in front of a text.
    ///
    /// - Parameters:
    ///   - path: Of the file, as it was named; control characters are made visible.
    ///   - line: From 1.
    ///   - text: What is wrong, and what is allowed.
    public init(path: String, line: Int, _ text: String) {
        (self.line, message) = (line, "\(path.withVisibleControls):\(line): \(text)")
    }
}
