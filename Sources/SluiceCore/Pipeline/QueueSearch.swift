/// Asks for the next queued task that matches the watched filter.
public struct QueueSearch: Equatable, Sendable {
    /// Comes back with the answer.
    public let serial: Int
    /// The position to go on from, itself left out; from 1.
    public let from: Int
    /// Whether the match before ``from`` is wanted, and not the one behind it.
    public let isBackward: Bool
    /// Asks from a position on; count `serial` up, so that answers are told apart.
    public init(serial: Int, from: Int, isBackward: Bool) {
        (self.serial, self.from, self.isBackward) = (serial, from, isBackward)
    }

    /// Where the task stands, round the end of the queue; `nil` if none matches.
    public struct Answer: Equatable, Sendable {
        /// Of the question.
        public let serial: Int
        /// From 1, over the whole queue.
        public let position: Int?
        /// Where a search ended.
        public init(serial: Int, position: Int?) { (self.serial, self.position) = (serial, position) }
    }
}
