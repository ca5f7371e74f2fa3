/// Asks which of the URLs that somebody types would join a live task.
public struct URLProbe: Sendable {
    /// Comes back with the answer.
    public let serial: Int
    /// As they would be submitted: what they send counts too.
    public let requests: [DownloadRequest]
    /// Asks about requests; count `serial` up, so that answers are told apart.
    public init(serial: Int, requests: [DownloadRequest]) { (self.serial, self.requests) = (serial, requests) }

    /// How far the question is answered.
    public struct Answer: Equatable, Sendable {
        /// Of the question.
        public var serial: Int
        /// Those that join a live task, or an equal one before them.
        public var merging = 0
        /// Those that are no URL.
        public var invalid = 0
        /// Those that were looked at.
        public var checked = 0
        /// No request was looked at yet.
        public init(serial: Int) { self.serial = serial }
    }
}
