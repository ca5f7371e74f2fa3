/// Which tasks a command is about.
public enum TaskSelection: Equatable, Sendable {
    /// This one; nothing happens if it is gone.
    case task(TaskID)
    /// These, in this order; those that are gone meanwhile are skipped.
    case tasks([TaskID])
    /// Queued tasks that match, all of them or those from one to another in either direction, both included.
    case queued(ListFilter, between: TaskEnds? = nil)

    /// The ends of a range of queued tasks.
    public struct TaskEnds: Equatable, Sendable {
        /// Where the user began; it may be the later one.
        public let first: TaskID
        /// Where the user ended.
        public let last: TaskID
        /// Two queued tasks, in either order.
        public init(_ first: TaskID, _ last: TaskID) { (self.first, self.last) = (first, last) }
    }
}
