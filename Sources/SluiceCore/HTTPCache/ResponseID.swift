/// Names a stored response and its body file; never used twice in a cache directory.
public struct ResponseID: Hashable, Comparable, Sendable {
    /// From 1; 0 for a response that is not stored yet.
    public let rawValue: Int64
    /// The number of a row of the index.
    public init(_ rawValue: Int64) { self.rawValue = rawValue }
    public static func < (left: ResponseID, right: ResponseID) -> Bool { left.rawValue < right.rawValue }
}
