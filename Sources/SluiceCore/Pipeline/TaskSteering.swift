/// What is done to a task, or to each of a selection.
public enum TaskSteering: Equatable, Sendable {
    /// Ends it for all of its receipts, which hear of it at once; its part stays.
    case abort
    /// Stops it, or takes it out of the queue; its slot is given back.
    case pause
    /// Queues a paused one at the front of its priority.
    case resume
    /// Submits the request of a failed task again, whatever the failed list says, or ends the wait of one that waits for
    /// its next attempt.
    case retry
    /// Before all other queued tasks; of several, the first one goes first.
    case promote
    /// Behind all others of its priority, also out of those that were promoted.
    case toEnd
    /// By places towards the end, negative towards the front; within its level.
    case move(by: Int)
    /// Holds from now on, whatever the receipts say.
    case setPriority(Priority)
    /// Limits one task, in bytes a second, over all its transfers; 0 means no limit of its own.
    case setRate(Int)
}
