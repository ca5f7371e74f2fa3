/// Names a merged task in events, commands and on screen.
///
/// Counts from 1; never used twice in a session.
public struct TaskID: Hashable, Comparable, Sendable {
    public let rawValue: Int
    public init(_ rawValue: Int) { self.rawValue = rawValue }
    public static func < (left: TaskID, right: TaskID) -> Bool { left.rawValue < right.rawValue }
}

/// Names one request's claim on a task; it gets exactly one outcome.
///
/// Counts from 1 in order of submission; never used twice in a session.
public struct ReceiptID: Hashable, Comparable, Sendable {
    public let rawValue: Int
    public init(_ rawValue: Int) { self.rawValue = rawValue }
    public static func < (left: ReceiptID, right: ReceiptID) -> Bool { left.rawValue < right.rawValue }
}

/// Names a batch of prefetched URLs; counts from 1.
public struct BatchID: Hashable, Sendable {
    public let rawValue: Int
    public init(_ rawValue: Int) { self.rawValue = rawValue }
}

/// Names one use of a slot and of the network; a task that waits or is paused uses a new one afterwards.
public struct TransferID: Hashable, Sendable {
    public let rawValue: Int
    public init(_ rawValue: Int) { self.rawValue = rawValue }
}
