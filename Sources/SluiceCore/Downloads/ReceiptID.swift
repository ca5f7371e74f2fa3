/// Names one request's claim on a task; it gets exactly one outcome.
///
/// Counts from 1 in order of submission; never used twice in a session.
public struct ReceiptID: Hashable, Comparable, Sendable {
    public let rawValue: Int
    public init(_ rawValue: Int) { self.rawValue = rawValue }
    public static func < (left: ReceiptID, right: ReceiptID) -> Bool { left.rawValue < right.rawValue }
}
