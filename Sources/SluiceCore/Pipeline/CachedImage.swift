/// An entry of the memory cache.
public struct CachedImage: Equatable, Sendable {
    /// Merge key and variant.
    public let key: CacheKey
    /// In bytes.
    public let cost: Int
    /// Since its last access.
    public let idle: Duration

    /// An entry as the cache lists it.
    public init(key: CacheKey, cost: Int, idle: Duration) { (self.key, self.cost, self.idle) = (key, cost, idle) }
}
