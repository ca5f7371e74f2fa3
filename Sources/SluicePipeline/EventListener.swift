public import SluiceCore

/// Hears events in order, on the loop's thread.
///
/// Events that any listener or the journal of tasks wants are numbered in one row: who wants a part of them sees gaps.
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
