/// Why there is no control socket, or nobody behind it; a sentence for people that says what to do.
public struct ControlSocketError: Error, Equatable, Sendable {
    /// Says what to do about it.
    public let message: String
    /// Name the socket, and what would help.
    public init(_ message: String) { self.message = message }
}
