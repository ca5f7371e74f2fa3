/// Other keys for an action, as a configuration asks for them.
public struct KeyChange: Equatable, Sendable {
    /// As the table of keys calls it: `abort`, `prompt.yank`.
    public let action: String
    /// Names of keys; none leaves the action without one.
    public let keys: [String]
    /// Where it stands in the file, from 1.
    public let line: Int

    /// A wish of the configuration; checked when the map is made.
    public init(action: String, keys: [String], line: Int) {
        (self.action, self.keys, self.line) = (action, keys, line)
    }
}
