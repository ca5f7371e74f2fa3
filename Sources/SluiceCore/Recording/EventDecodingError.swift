/// Why something is no event of Sluice; the end of a sentence.
public struct EventDecodingError: Error, Equatable, Sendable {
    public let message: String
    init(_ message: String) { self.message = message }
}
