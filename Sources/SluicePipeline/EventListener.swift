public import SluiceCore

/// Hears events in order, on the loop's thread.
public struct EventListener: Sendable {
    let interest: EventInterest
    let hear: @Sendable (PipelineEvent) -> Void

    /// - Parameters:
    ///   - interest: What is wanted.
    ///   - hear: Called on the loop's thread; while it runs, every transfer waits.
    public init(_ interest: EventInterest = .all, hear: @escaping @Sendable (PipelineEvent) -> Void) {
        (self.interest, self.hear) = (interest, hear)
    }
}
