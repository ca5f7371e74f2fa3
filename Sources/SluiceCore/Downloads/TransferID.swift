/// Names one use of a slot and of the network; a task that waits or is paused uses a new one afterwards.
public struct TransferID: Hashable, Sendable {
    public let rawValue: Int
    public init(_ rawValue: Int) { self.rawValue = rawValue }
}
