/// Finds an entry of the memory cache: a merge key, and what tells variants of its image apart.
public struct CacheKey: Hashable, Sendable {
    /// The merge key as text.
    public let key: String
    /// An additional identifier such as `thumb-64x64`; empty for the image itself.
    public let id: String
    /// A key as text, and what names the variant; without that, the image itself.
    public init(key: String, id: String = "") { (self.key, self.id) = (key, id) }

    /// The URL alone, without the digits for what else is in the merge key.
    public var url: String { Self.url(of: key) }

    /// The URL of a merge key as text: it has no blanks, so the first one ends it.
    static func url(of key: String) -> String { String(key.prefix { $0 != " " }) }
}
