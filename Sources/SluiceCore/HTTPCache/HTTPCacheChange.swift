/// The HTTP cache stored, used or lost one response, or had a reason not to store it.
public struct HTTPCacheChange: Equatable, Sendable {
    /// What happened, as the last word of the event's name.
    public enum Verb: String, Sendable {
        /// A response is kept, in place of those that it replaces.
        case stored
        /// A stored response answered without the origin's consent.
        case hit
        /// The origin said that it still holds.
        case revalidated
        /// It had to go.
        case evicted
        /// An answer is not kept, for the reason told.
        case skipped
    }
    /// Names the event: `httpcache.stored` and so on.
    public var verb: Verb
    /// The URL it is stored under.
    public var key: String
    /// Of its body.
    public var bytes: Int
    /// Bytes of all bodies after the step.
    public var usage: Int
    /// In milliseconds since 1970; `nil` if it is not fresh.
    public var freshUntil: Int64?
    /// Why; becomes a sentence where somebody reads it.
    public var why: HTTPCacheWhy

    /// What the cache did, and how full it is after it.
    public init(verb: Verb, key: String, bytes: Int, usage: Int, freshUntil: Int64? = nil, why: HTTPCacheWhy) {
        (self.verb, self.key, self.bytes, self.usage) = (verb, key, bytes, usage)
        (self.freshUntil, self.why) = (freshUntil, why)
    }
}
