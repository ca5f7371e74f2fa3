/// Reads TOML 1.0, strictly, and remembers the line of every key and value.
///
/// What is invalid is an error, never a guess: a key given twice, a table closed and opened
/// again, a number with a leading zero. Knows nothing of settings.
///
/// - SeeAlso: https://toml.io/en/v1.0.0
public struct TOMLDocument: Sendable {
    /// The whole document: the keys before the first header, and all tables.
    public let root: TOMLTable

    /// - Parameter bytes: The whole file.
    /// - Throws: For the first thing that is no TOML.
    public init(_ bytes: [UInt8]) throws(TOMLError) {
        var reader = TOMLReader(bytes)
        root = try reader.document()
    }

    /// Reads a text that is in memory already.
    ///
    /// - Throws: For the first thing that is no TOML.
    public init(_ text: String) throws(TOMLError) { try self.init(Array(text.utf8)) }
}
