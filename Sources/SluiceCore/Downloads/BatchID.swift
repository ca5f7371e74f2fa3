/// Names a batch of prefetched URLs; counts from 1.
public struct BatchID: Hashable, Sendable {
    /// From 1, in order of the prefetches.
    public let rawValue: Int
    /// The batch of a number that events or a program named.
    public init(_ rawValue: Int) { self.rawValue = rawValue }
}
