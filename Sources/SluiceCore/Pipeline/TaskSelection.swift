/// Which tasks a command is about.
public enum TaskSelection: Equatable, Sendable {
    /// These, in this order; those that are gone meanwhile are skipped.
    case tasks([TaskID])
    /// Queued tasks that match, all of them or those from one to another in either direction, both included.
    case queued(ListFilter, between: TaskEnds? = nil)

    /// The ends of a range of queued tasks.
    public struct TaskEnds: Equatable, Sendable {
        public let first: TaskID
        public let last: TaskID
        public init(_ first: TaskID, _ last: TaskID) { (self.first, self.last) = (first, last) }
    }
}

/// What is done to a task, or to each of a selection.
public enum TaskSteering: Equatable, Sendable {
    case abort
    case pause
    case resume
    /// Submits the request of a failed task again.
    case retry
    /// Before all other queued tasks; of several, the first one goes first.
    case promote
    /// Behind all others of its priority, also out of those that were promoted.
    case toEnd
    /// By places towards the end, negative towards the front; within its level.
    case move(by: Int)
    case setPriority(Priority)
    /// Limits one task, in bytes a second; 0 means no limit of its own.
    case setRate(Int)
}

/// Asks which of the URLs that somebody types would join a live task.
public struct URLProbe: Sendable {
    /// Comes back with the answer.
    public let serial: Int
    public let requests: [DownloadRequest]
    public init(serial: Int, requests: [DownloadRequest]) { (self.serial, self.requests) = (serial, requests) }

    /// How far the question is answered.
    public struct Answer: Equatable, Sendable {
        public var serial: Int
        /// Those that join a live task, or an equal one before them.
        public var merging = 0
        /// Those that are no URL.
        public var invalid = 0
        /// Those that were looked at.
        public var checked = 0
        public init(serial: Int) { self.serial = serial }
    }
}

/// Asks for the next queued task that matches the watched filter.
public struct QueueSearch: Equatable, Sendable {
    /// Comes back with the answer.
    public let serial: Int
    /// The position to go on from, itself left out; from 1.
    public let from: Int
    public let isBackward: Bool
    public init(serial: Int, from: Int, isBackward: Bool) {
        (self.serial, self.from, self.isBackward) = (serial, from, isBackward)
    }

    /// Where the task stands, round the end of the queue; `nil` if none matches.
    public struct Answer: Equatable, Sendable {
        public let serial: Int
        public let position: Int?
        public init(serial: Int, position: Int?) { (self.serial, self.position) = (serial, position) }
    }
}
