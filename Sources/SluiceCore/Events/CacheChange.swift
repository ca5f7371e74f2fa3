/// The memory cache took, replaced, lost or refused one entry.
public struct CacheChange: Sendable {
    /// What happened to the entry, as the last word of the event's name.
    public enum Verb: String, Sendable {
        /// A new entry; what had to go for it is told by a ``CachePurge``.
        case added
        /// An entry under a key that had one; the old cost is gone.
        case replaced
        /// An entry went alone, not by a purge.
        case removed
        /// Larger than the whole capacity, or kept out by the admission hook.
        case refused
    }
    /// Names the event: `cache.added` and so on.
    public var verb: Verb
    /// The entry that it is about.
    public var key: CacheKey
    /// In bytes.
    public var cost: Int
    /// After the whole step, in bytes.
    public var usage: Int
    /// The limit, in bytes; 0 means none.
    public var capacity: Int
    /// Entries after the whole step.
    public var count: Int
    /// Why it was taken, replaced, removed or refused; a sentence in the event.
    public var why: Why

    /// What happened to an entry, with the figures after the whole step.
    public init(verb: Verb, key: CacheKey, cost: Int, usage: Int, capacity: Int, count: Int, why: Why) {
        (self.verb, self.key, self.cost, self.usage) = (verb, key, cost, usage)
        (self.capacity, self.count, self.why) = (capacity, count, why)
    }
}
