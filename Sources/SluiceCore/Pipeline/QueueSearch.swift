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
