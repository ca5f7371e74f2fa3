/// Why a list could not be read; a sentence for people.
public struct ListError: Error, Equatable, Sendable {
    /// A whole sentence.
    public let message: String
    /// A list that can't be read, in words.
    public init(message: String) { self.message = message }
}
