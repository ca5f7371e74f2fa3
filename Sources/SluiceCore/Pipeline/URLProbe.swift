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
