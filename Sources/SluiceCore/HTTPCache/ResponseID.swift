/// Names a stored response and its body file; never used twice in a cache directory.
public struct ResponseID: Hashable, Comparable, Sendable {
    public let rawValue: Int64
    public init(_ rawValue: Int64) { self.rawValue = rawValue }
    public static func < (left: ResponseID, right: ResponseID) -> Bool { left.rawValue < right.rawValue }
}
