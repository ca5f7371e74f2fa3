/// Names one use of a slot and of the network; a task that waits or is paused uses a new one afterwards.
public struct TransferID: Hashable, Sendable {
    /// From 1, in order of the starts.
    public let rawValue: Int
    /// The scheduler alone makes new ones; transports tell of those that they were given.
    public init(_ rawValue: Int) { self.rawValue = rawValue }
}
