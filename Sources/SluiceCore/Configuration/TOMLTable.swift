/// The entries of a TOML table in the order in which they were written.
public struct TOMLTable: Equatable, Sendable {
    /// One key with its value.
    public struct Entry: Equatable, Sendable {
        /// One part of a name: dots lead into tables within.
        public let key: String
        /// What stands behind the key.
        public let node: TOMLNode
        /// Of the key, from 1.
        public let line: Int

        /// A key with its value, and the line on which the key stands.
        public init(key: String, node: TOMLNode, line: Int) { (self.key, self.node, self.line) = (key, node, line) }
    }

    /// In the order in which they were written.
    public let entries: [Entry]

    /// A table with these entries.
    ///
    /// - Precondition: No key stands there twice; the reader refuses such a file.
    public init(entries: [Entry] = []) { self.entries = entries }

    /// The value of a key of this table; `nil` if it is not there.
    ///
    /// - Complexity: O(entries)
    public subscript(key: String) -> TOMLNode? { entries.first { $0.key == key }?.node }
}
