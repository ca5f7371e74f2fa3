/// A task went from one phase to another.
public struct TaskChange: Sendable {
    /// Where a task went, as the last word of the event's name.
    public enum Phase: String, Sendable {
        /// It waits for a slot.
        case queued
        /// It got its first slot.
        case started
        /// It got a slot again, after a pause or a wait.
        case resumed
        /// The user paused it; its slot is given back.
        case suspended
        /// It waits for its next attempt, without a slot.
        case waiting
        /// Its last receipt is gone, and it runs on for the caches.
        case detached
        /// It stands elsewhere in the queue.
        case moved
    }
    /// Where it stands now.
    public var phase: Phase
    /// Which task moved.
    public var task: TaskID
    /// Without credentials.
    public var url: String
    /// From 1.
    public var attempt: Int
    /// Active tasks after the change.
    public var active: Int
    /// Queued tasks after the change.
    public var queued: Int
    /// From 1, for `queued` and `moved`.
    public var position: Int?
    /// When a waiting task goes on.
    public var until: Timestamp?
    /// How long a waiting task waits.
    public var delay: Duration?
    /// Why, where there is more to say than that a slot was free.
    public var reason: Why?

    /// A step of a task, and how many tasks are active and queued after it.
    public init(phase: Phase, task: TaskID, url: String, attempt: Int, active: Int, queued: Int) {
        (self.phase, self.task, self.url, self.attempt) = (phase, task, url, attempt)
        (self.active, self.queued) = (active, queued)
    }
}
