/// Why a trust policy can't be made; the message names file and line, and what is allowed.
public struct TrustError: Error, Equatable, Sendable {
    /// A sentence without a full stop.
    public let message: String
    /// Begin it with file and line, where there are any.
    public init(_ message: String) { self.message = message }
}
