/// How long a loop may sleep after a round.
public enum LoopSleep: Equatable, Sendable {
    /// Nothing is due by itself.
    case untilWoken
    /// Something is due then; it may be past.
    case until(Timestamp)
    /// The client is done: the loop's thread ends after the jobs at hand.
    case ended
}

/// What a loop drives between jobs.
public protocol LoopClient: Actor {
    /// Does all that is due and returns without blocking.
    ///
    /// - Note: Runs on the loop's thread, never while a job of the same executor runs.
    nonisolated func turn(_ ready: [SocketEvent], now: Timestamp) -> LoopSleep
    /// The last turn and the jobs behind it took so long, in which nobody looked at a socket; said before the next turn,
    /// and only of long ones.
    nonisolated func wasHeldUp(for time: Duration)
}
