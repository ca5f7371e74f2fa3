extension PipelineSnapshot {
    /// A key on the failed list.
    public struct Failed: Equatable, Sendable {
        /// Without credentials; not escaped for a terminal.
        public var url: String
        /// Why it failed for good.
        public var error: DownloadError
        /// When it may be tried again.
        public var until: Timestamp
        /// A key, why it is there, and until when.
        public init(url: String, error: DownloadError, until: Timestamp) {
            (self.url, self.error, self.until) = (url, error, until)
        }
    }

    /// The memory cache in figures.
    public struct Memory: Equatable, Sendable {
        /// All in bytes.
        public var usage = 0
        /// In bytes; 0 means no limit.
        public var capacity = 0
        /// What a purge for room leaves at most, in bytes.
        public var preferred = 0
        /// The greatest cost of an entry, in bytes; 0 for an empty cache.
        public var largest = 0
        /// Entries.
        public var count = 0
        /// Requests that found an image in it, since the start.
        public var hits = 0
        /// Requests that looked in vain, since the start.
        public var misses = 0
        /// How often it made room or was emptied, since the start.
        public var purges = 0
        /// By all purges, in bytes.
        public var freed = 0
        /// Those of an empty cache that keeps nothing.
        public init() {}
    }

    /// The network activity indicator, with what a countdown needs.
    public struct Indicator: Equatable, Sendable {
        /// It is shown in `active` and `delayingEnd`.
        public var state = ActivityState.notActive
        /// Since when it is in this state.
        public var since = Timestamp(nanoseconds: 0)
        /// When its timer fires, if one runs.
        public var deadline: Timestamp?
        /// Transfers that it counts.
        public var tasks = 0
        /// At rest, since the start of time.
        public init() {}
    }
}
