/// Names a merged task in events, commands and on screen.
///
/// Counts from 1; never used twice in a session.
public struct TaskID: Hashable, Comparable, Sendable {
    public let rawValue: Int
    public init(_ rawValue: Int) { self.rawValue = rawValue }
    public static func < (left: TaskID, right: TaskID) -> Bool { left.rawValue < right.rawValue }
}
