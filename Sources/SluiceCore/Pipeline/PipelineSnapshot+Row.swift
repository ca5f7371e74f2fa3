extension PipelineSnapshot {
    /// A live task as a row.
    public struct Row: Sendable, Equatable {
        /// What a live task does, as its row shows it.
        public enum State: Equatable, Sendable {
            /// Holds a slot; see ``isDetached``.
            case active
            /// From 1.
            case queued(position: Int)
            /// For its next attempt, without a slot; `delay` is how long it waits in all.
            case waiting(until: Timestamp, delay: Duration)
            /// By the user; it holds no slot.
            case paused
        }
        /// Finds the row again in the next snapshot.
        public var task: TaskID
        /// Without credentials; from the user, not escaped for a terminal.
        public var url: String
        /// The file name wished for or chosen, else the last path part.
        public var name: String
        /// Of the URL asked for, lower-cased, in punycode; empty for `file` and `data`.
        public var host: String
        /// Decides which list the row is in.
        public var state: State
        /// Of the task: the highest of its receipts', unless the user set one.
        public var priority: Priority
        /// Live receipts.
        public var receipts: Int
        /// Bytes as sent.
        public var received: Int
        /// Bytes of the whole body as sent; `nil` if nobody knows.
        public var expected: Int?
        /// Bytes a second, smoothed.
        public var rate: Int
        /// Whether the rate was measured long enough to guess from it when all will be there.
        public var isRateMeasured = true
        /// Whether the rate was measured long enough to tell from it when all will be there.
        public var isRateSteady = true
        /// Since when no byte came; `nil` where none is waited for.
        public var silentSince: Timestamp?
        /// The most that the user lets it have, in bytes a second; 0 means no limit of its own.
        public var rateLimit = 0
        /// Whether what is there stays if it is aborted, so that a later request of the same goes on with it.
        public var keepsPart = false
        /// Whether it goes on where it is, should it be paused now; without, it starts over.
        public var isContinuable = true
        /// When its first request was taken; waits count from here.
        public var submitted: Timestamp
        /// Attempt under way or next, from 1.
        public var attempt: Int
        /// Attempts at most.
        public var attempts: Int
        /// Why it waits, is paused or stands where it does.
        public var reason: Why?
        /// Of the request that came first.
        public var source: DownloadRequest.Source
        /// Absolute path that its file gets, once a name is reserved.
        public var file: String?
        /// Where the request that came first wants its file, absolute or relative to the directory; `nil` without a wish.
        public var destination: String?
        /// Whether any of its receipts wants a file; prefetches do not.
        public var savesFile = true
        /// Of the answer at hand; `nil` before it.
        public var httpVersion: String?
        /// `Content-Type` as sent; `nil` without one, and before the answer.
        public var contentType: String?

        /// Whether it runs for nobody but the caches, and saves no file.
        public var isDetached: Bool { state == .active && receipts == 0 }

        /// A row of a task that has just begun; all else is set where it is known.
        public init(task: TaskID, url: String, name: String, host: String, state: State, submitted: Timestamp) {
            (self.task, self.url, self.name, self.host) = (task, url, name, host)
            (self.state, self.submitted) = (state, submitted)
            (priority, receipts, received, rate, attempt, attempts) = (.normal, 1, 0, 0, 1, 1)
            source = .program
        }
    }
}
