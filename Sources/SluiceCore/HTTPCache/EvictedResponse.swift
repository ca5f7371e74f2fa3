/// A stored response that had to go.
public struct EvictedResponse: Equatable, Sendable {
    public let url: String
    /// Of its body.
    public let bytes: Int
    public let why: HTTPCacheWhy
    /// Of all bodies, once it was gone.
    public let usage: Int

    public init(url: String, bytes: Int, why: HTTPCacheWhy, usage: Int) {
        (self.url, self.bytes, self.why, self.usage) = (url, bytes, why, usage)
    }
}
