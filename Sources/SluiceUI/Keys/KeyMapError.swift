/// Why keys can't be as a configuration asks; the message says what would do.
public struct KeyMapError: Error, Equatable, Sendable {
    /// Of the change that is wrong, from 1.
    public let line: Int
    /// Names the action or the key.
    public let message: String
}
