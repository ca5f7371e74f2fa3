/// Why a trust policy can't be made; the message names file and line, and what is allowed.
public struct TrustError: Error, Equatable, Sendable {
    public let message: String
    public init(_ message: String) { self.message = message }
}
