/// Names a batch of prefetched URLs; counts from 1.
public struct BatchID: Hashable, Sendable {
    public let rawValue: Int
    public init(_ rawValue: Int) { self.rawValue = rawValue }
}
