/// Why there is no control socket, or nobody behind it; a sentence for people that says what to do.
public struct ControlSocketError: Error, Equatable, Sendable {
    public let message: String
    public init(_ message: String) { self.message = message }
}
