/// Names a merged task in events, commands and on screen.
///
/// Counts from 1; never used twice in a session.
public struct TaskID: Hashable, Comparable, Sendable {
    /// From 1, in order of creation.
    public let rawValue: Int
    /// The task of a number that events or a program named.
    public init(_ rawValue: Int) { self.rawValue = rawValue }
    public static func < (left: TaskID, right: TaskID) -> Bool { left.rawValue < right.rawValue }
}
