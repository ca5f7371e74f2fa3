/// Why something is no event of Sluice; the end of a sentence.
public struct EventDecodingError: Error, Equatable, Sendable {
    /// Goes behind the line's number: `its field seq should be …`.
    public let message: String
    init(_ message: String) { self.message = message }
}
