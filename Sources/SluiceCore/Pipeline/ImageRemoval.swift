/// Asks that images leave the memory cache, with all their variants.
public struct ImageRemoval: Equatable, Sendable {
    /// Comes back with the answer.
    public let serial: Int
    /// As ``TaskEnd/url`` says them; every image of such a URL goes, whatever else was in its key.
    public let urls: [String]

    /// Asks for the images of some URLs; count `serial` up, so that answers are told apart.
    public init(serial: Int, urls: [String]) { (self.serial, self.urls) = (serial, urls) }

    /// What left the cache.
    public struct Answer: Equatable, Sendable {
        /// Of the question.
        public let serial: Int
        /// Of the URLs, those that had an image in memory.
        public let removed: Int
        /// What their entries had cost, in bytes.
        public let freed: Int

        /// What a removal came to.
        public init(serial: Int, removed: Int, freed: Int) {
            (self.serial, self.removed, self.freed) = (serial, removed, freed)
        }
    }
}
