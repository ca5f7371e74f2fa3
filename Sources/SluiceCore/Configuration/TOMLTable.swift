/// The entries of a TOML table in the order in which they were written.
public struct TOMLTable: Equatable, Sendable {
    /// One key with its value.
    public struct Entry: Equatable, Sendable {
        public let key: String
        public let node: TOMLNode
        /// Of the key, from 1.
        public let line: Int

        public init(key: String, node: TOMLNode, line: Int) { (self.key, self.node, self.line) = (key, node, line) }
    }

    public let entries: [Entry]

    public init(entries: [Entry] = []) { self.entries = entries }

    public subscript(key: String) -> TOMLNode? { entries.first { $0.key == key }?.node }
}
