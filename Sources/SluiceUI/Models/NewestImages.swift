internal import SluiceCore

/// The images that came into the memory cache last and are still there, newest first, learnt from events.
///
/// And those that left it, as long as they are not back.
struct NewestImages: Sendable {
    struct Entry: Sendable {
        let change: CacheChange
        let t: Duration
    }

    static let capacity = 40
    private static let goneLimit = 1_000

    private(set) var entries: [Entry] = []
    /// The last addition, which a purge that follows was caused by.
    private(set) var last: CacheChange?
    private var gone = RecentSet<CacheKey>(limit: Self.goneLimit)

    /// Whether an image left memory, as far as events tell; `false` where that was long ago.
    func hasLost(_ key: CacheKey) -> Bool { gone.contains(key) }

    mutating func take(_ change: CacheChange, t: Duration) {
        guard change.verb != .refused else { return }
        entries.removeAll { $0.change.key == change.key }
        guard change.verb != .removed else {
            gone.insert(change.key)
            return
        }
        gone.remove(change.key)
        last = change
        entries.insert(Entry(change: change, t: t), at: 0)
        if entries.count > Self.capacity { entries.removeLast() }
    }

    mutating func take(_ purge: CachePurge) {
        for victim in purge.victims { gone.insert(victim.key) }
        guard !entries.isEmpty else { return }
        let gone = Set(purge.victims.map(\.key))
        entries.removeAll { gone.contains($0.change.key) }
    }

    /// Events were lost: what is left may not be there any more, and what left may be back.
    mutating func forget() { (entries, gone) = ([], RecentSet(limit: Self.goneLimit)) }
}
