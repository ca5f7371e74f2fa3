/// An image in the memory cache, as a row of the screen.
public struct CachedImageRow: Equatable, Sendable {
    public let key: CacheKey
    /// In bytes.
    public let cost: Int
    /// In pixels.
    public let width: Int
    /// In pixels.
    public let height: Int
    public let accessed: Timestamp

    public init(key: CacheKey, cost: Int, width: Int, height: Int, accessed: Timestamp) {
        (self.key, self.cost, self.width, self.height) = (key, cost, width, height)
        self.accessed = accessed
    }
}
