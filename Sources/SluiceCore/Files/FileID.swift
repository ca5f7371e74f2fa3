/// Names a file that is being written; never used twice.
public struct FileID: Hashable, Sendable {
    public let rawValue: Int
    public init(_ rawValue: Int) { self.rawValue = rawValue }
}
