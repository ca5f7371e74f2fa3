extension PipelineSnapshot {
    /// A key on the failed list.
    public struct Failed: Equatable, Sendable {
        /// Without credentials; not escaped for a terminal.
        public var url: String
        public var error: DownloadError
        /// When it may be tried again.
        public var until: Timestamp
        public init(url: String, error: DownloadError, until: Timestamp) {
            (self.url, self.error, self.until) = (url, error, until)
        }
    }

    public struct Memory: Equatable, Sendable {
        /// All in bytes.
        public var usage = 0
        public var capacity = 0
        public var preferred = 0
        public var largest = 0
        /// Entries.
        public var count = 0
        public var hits = 0
        public var misses = 0
        public var purges = 0
        /// By all purges, in bytes.
        public var freed = 0
        public init() {}
    }

    public struct Indicator: Equatable, Sendable {
        public var state = ActivityState.notActive
        /// Since when it is in this state.
        public var since = Timestamp(nanoseconds: 0)
        /// When its timer fires, if one runs.
        public var deadline: Timestamp?
        public var tasks = 0
        public init() {}
    }
}
