/// An image in the memory cache, as a row of the screen.
public struct CachedImageRow: Equatable, Sendable {
    /// Merge key and variant.
    public let key: CacheKey
    /// In bytes.
    public let cost: Int
    /// In pixels.
    public let width: Int
    /// In pixels.
    public let height: Int
    /// Its last use; looking at this list is none.
    public let accessed: Timestamp

    /// An entry as the cache lists it, and the size of its bitmap.
    public init(key: CacheKey, cost: Int, width: Int, height: Int, accessed: Timestamp) {
        (self.key, self.cost, self.width, self.height) = (key, cost, width, height)
        self.accessed = accessed
    }
}
