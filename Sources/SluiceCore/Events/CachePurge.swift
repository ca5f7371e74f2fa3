/// The memory cache removed entries to make room, or all of them.
public struct CachePurge: Equatable, Sendable {
    /// What made the cache purge.
    public enum Trigger: String, Sendable {
        /// An entry was added.
        case capacity
        /// The limits became smaller.
        case resized
        /// Memory is short.
        case pressure
        /// Somebody wants the cache empty.
        case cleared
    }
    /// One entry that went.
    public struct Victim: Equatable, Sendable {
        /// By which it is found no more.
        public var key: CacheKey
        /// In bytes.
        public var cost: Int
        /// Since its last access.
        public var idle: Duration
        /// An entry as it was when it went.
        public init(key: CacheKey, cost: Int, idle: Duration) { (self.key, self.cost, self.idle) = (key, cost, idle) }
    }
    /// What made it happen; the word in the event.
    public var trigger: Trigger
    /// Usage before, the added entry included.
    ///
    /// In bytes, as all that follow.
    public var before: Int
    /// What had to go at least: usage above ``preferred``, or all.
    public var needed: Int
    /// What the victims had cost, together.
    public var freed: Int
    /// Usage now.
    public var after: Int
    /// What a purge for room leaves at most.
    public var preferred: Int
    /// In the order in which they went: least recently accessed first.
    public var victims: [Victim]

    /// What went, and why; `after` is worked out.
    public init(trigger: Trigger, before: Int, needed: Int, freed: Int, preferred: Int, victims: [Victim]) {
        (self.trigger, self.before, self.needed, self.freed) = (trigger, before, needed, freed)
        (after, self.preferred, self.victims) = (before - freed, preferred, victims)
    }
}
