/// The memory cache removed entries to make room, or all of them.
public struct CachePurge: Equatable, Sendable {
    public enum Trigger: String, Sendable {
        case capacity
        case resized
        case pressure
        case cleared
    }
    public struct Victim: Equatable, Sendable {
        public var key: CacheKey
        /// In bytes.
        public var cost: Int
        /// Since its last access.
        public var idle: Duration
        public init(key: CacheKey, cost: Int, idle: Duration) { (self.key, self.cost, self.idle) = (key, cost, idle) }
    }
    public var trigger: Trigger
    /// Usage before, the added entry included.
    ///
    /// In bytes, as all that follow.
    public var before: Int
    public var needed: Int
    public var freed: Int
    public var after: Int
    public var preferred: Int
    /// In the order in which they went: least recently accessed first.
    public var victims: [Victim]

    public init(trigger: Trigger, before: Int, needed: Int, freed: Int, preferred: Int, victims: [Victim]) {
        (self.trigger, self.before, self.needed, self.freed) = (trigger, before, needed, freed)
        (after, self.preferred, self.victims) = (before - freed, preferred, victims)
    }
}
