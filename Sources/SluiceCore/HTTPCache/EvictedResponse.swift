/// A stored response that had to go.
public struct EvictedResponse: Equatable, Sendable {
    /// Under which it was stored.
    public let url: String
    /// Of its body.
    public let bytes: Int
    /// Why it went; the sentence of the event.
    public let why: HTTPCacheWhy
    /// Of all bodies, once it was gone; 0 until it is told.
    public var usage: Int

    /// What went, and how full the cache is without it.
    public init(url: String, bytes: Int, why: HTTPCacheWhy, usage: Int = 0) {
        (self.url, self.bytes, self.why, self.usage) = (url, bytes, why, usage)
    }
}
