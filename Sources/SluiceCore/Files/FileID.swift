/// Names a file that is being written; never used twice.
public struct FileID: Hashable, Sendable {
    /// From 1, in the order in which the store made them.
    public let rawValue: Int
    /// The store alone makes new ones.
    public init(_ rawValue: Int) { self.rawValue = rawValue }
}
