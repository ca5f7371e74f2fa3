/// The memory cache took, replaced, lost or refused one entry.
public struct CacheChange: Sendable {
    public enum Verb: String, Sendable {
        case added
        case replaced
        case removed
        case refused
    }
    public var verb: Verb
    public var key: CacheKey
    /// In bytes.
    public var cost: Int
    /// After the whole step, in bytes.
    public var usage: Int
    public var capacity: Int
    /// Entries after the whole step.
    public var count: Int
    public var why: Why

    public init(verb: Verb, key: CacheKey, cost: Int, usage: Int, capacity: Int, count: Int, why: Why) {
        (self.verb, self.key, self.cost, self.usage) = (verb, key, cost, usage)
        (self.capacity, self.count, self.why) = (capacity, count, why)
    }
}
