public import SluiceCore

/// What an origin has seen so far; a value, taken at one moment.
public struct OriginLog: Sendable {
    /// A request whose head and body had arrived.
    public struct Hit: Sendable {
        /// Of the target, without its query.
        public let path: String
        /// As sent.
        public let method: String
        /// Connections count from 1 in the order accepted.
        public let connection: Int
        /// Monotonic; comparable with every other reading of the process.
        public let at: Timestamp
    }

    /// The client closed or reset its connection before its answer was complete.
    public struct Close: Sendable {
        /// Of the target that it was the answer to, without its query.
        public let path: String
        /// When the origin noticed; monotonic.
        public let at: Timestamp
        /// Bytes of the body handed to the system by then.
        public let sent: Int
    }

    /// In the order of their arrival.
    public internal(set) var requests: [Hit] = []
    /// Requests for each path.
    public internal(set) var hits: [String: Int] = [:]
    /// Requests that arrived and whose answer is not complete.
    ///
    /// A request leaves this count just before its last byte is handed to the system, so
    /// that a client which reacts at once is never counted twice.
    public internal(set) var active = 0
    /// The most there ever were of ``active``.
    public internal(set) var peakActive = 0
    /// Requests that wait for ``Origin/release(_:)``.
    public internal(set) var held = 0
    /// Answers sent to their scripted end, faults included.
    public internal(set) var answered = 0
    /// Connections accepted so far.
    public internal(set) var connections = 0
    /// Connections that are open now.
    public internal(set) var openConnections = 0
    /// In the order in which they were noticed.
    public internal(set) var closes: [Close] = []

    /// The paths asked for, in the order of their arrival.
    public var paths: [String] { requests.map(\.path) }

    /// Requests for one path so far.
    public func hits(_ path: String) -> Int { hits[path] ?? 0 }

    /// Closes by the client while a path was being answered.
    public func closes(_ path: String) -> [Close] { closes.filter { $0.path == path } }
}
