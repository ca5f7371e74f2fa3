extension PipelineSnapshot {
    /// A live task as a row.
    public struct Row: Sendable, Equatable {
        public enum State: Equatable, Sendable {
            /// Holds a slot. Detached if `receipts` is 0.
            case active
            /// From 1.
            case queued(position: Int)
            case waiting(until: Timestamp, delay: Duration)
            case paused
            /// Aborted; the slot is not free yet.
            case ending
        }
        public var task: TaskID
        /// Without credentials; from the user, not escaped for a terminal.
        public var url: String
        /// The file name wished for or chosen, else the last path part.
        public var name: String
        public var host: String
        public var state: State
        public var priority: Priority
        /// Live receipts.
        public var receipts: Int
        /// Bytes as sent.
        public var received: Int
        public var expected: Int?
        /// Bytes a second, smoothed.
        public var rate: Int
        /// Since when no byte came; `nil` where none is waited for.
        public var silentSince: Timestamp?
        /// The most that the user lets it have, in bytes a second; 0 means no limit of its own.
        public var rateLimit = 0
        public var submitted: Timestamp
        /// Attempt under way or next, from 1.
        public var attempt: Int
        /// Attempts at most.
        public var attempts: Int
        /// Why it waits, is paused or stands where it does.
        public var reason: Why?
        public var source: DownloadRequest.Source
        /// Absolute path that its file gets, once a name is reserved.
        public var file: String?
        public var httpVersion: String?
        public var contentType: String?

        public init(task: TaskID, url: String, name: String, host: String, state: State, submitted: Timestamp) {
            (self.task, self.url, self.name, self.host) = (task, url, name, host)
            (self.state, self.submitted) = (state, submitted)
            (priority, receipts, received, rate, attempt, attempts) = (.normal, 1, 0, 0, 1, 1)
            source = .program
        }
    }
}
