internal import SluiceCore

/// The URLs whose answers came by redirects, or may yet: who was trusted on the way is not in their keys.
///
/// A key names the trust of its own host alone, since nobody knows before where it leads. So once the trust changes, such a
/// URL gets a key of its own: what came, or still comes, under the old trust answers nobody who asks under the new one.
/// Confined to the pipeline's thread.
struct RedirectedURLs {
    /// URLs that are told apart; beyond that, all count as redirected.
    static let limit = 10_000

    /// How often the trust changed.
    private var changes = 0
    /// By which change each was redirected first.
    private var first: [String: Int] = [:]
    /// By which change all others count as redirected; `nil` for none.
    private var firstOfAll: Int?

    /// An answer of a URL came by a redirect.
    ///
    /// - Parameter url: As merge keys have it.
    mutating func note(_ url: String) {
        guard first[url] == nil else { return }
        if first.count < Self.limit { first[url] = changes } else { firstOfAll = firstOfAll ?? changes }
    }

    /// The trust changed.
    ///
    /// - Parameter underWay: The URLs of tasks that exist, which may be redirected yet.
    mutating func trustChanged(underWay: some Sequence<String>) {
        for url in underWay { note(url) }
        changes += 1
    }

    /// What tells the key of a URL from that before the last change; empty where nothing does.
    ///
    /// - Parameter url: As merge keys have it.
    /// - Returns: A text that no mark of a trust has.
    func mark(of url: String) -> String {
        if changes == 0 { return "" }
        guard let first = first[url] ?? firstOfAll, first < changes else { return "" }
        return "\u{2}\(changes)"
    }
}
