/// Leaves query items out of merge and cache keys, so that URLs which differ in a token are one download.
///
/// - SeeAlso: SDWebImage, `SDWebImageCacheKeyFilter`.
public struct KeyFilter: Equatable, Sendable {
    private let names: Set<String>
    private let dropsAll: Bool

    /// - Parameter names: Of query items, percent-decoded; `*` alone means all.
    public init(_ names: [String]) {
        dropsAll = names == ["*"]
        self.names = dropsAll ? [] : Set(names)
    }

    /// Whether it leaves every URL as it is.
    public var isEmpty: Bool { names.isEmpty && !dropsAll }

    /// The URL as it counts for keys.
    ///
    /// - Parameter url: Normalised, without a fragment.
    /// - Returns: Without the items; the others keep their order and their writing. What is on this machine has no query.
    public func key(for url: String) -> String {
        guard !isEmpty, RequestURL.isNetwork(url), let mark = url.utf8.firstIndex(of: UInt8(ascii: "?")) else {
            return url
        }
        let base = String(url[..<mark])
        if dropsAll { return base }
        let items = url[url.utf8.index(after: mark)...].split(separator: "&", omittingEmptySubsequences: false)
        let kept = items.filter { item in
            let name = item.prefix { $0 != "=" }
            return !names.contains(String(decoding: PercentEncoding.decode(name.utf8), as: UTF8.self))
        }
        return kept.isEmpty ? base : base + "?" + kept.joined(separator: "&")
    }
}
