/// Names one request's claim on a task; it gets exactly one outcome.
///
/// Counts from 1 in order of submission; never used twice in a session.
public struct ReceiptID: Hashable, Comparable, Sendable {
    /// From 1, in order of submission.
    public let rawValue: Int
    /// The receipt of a number that events or a program named.
    public init(_ rawValue: Int) { self.rawValue = rawValue }
    public static func < (left: ReceiptID, right: ReceiptID) -> Bool { left.rawValue < right.rawValue }
}
