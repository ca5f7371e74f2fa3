internal import SluiceCore

/// The images that came into the memory cache last and are still there, newest first, learnt from events.
struct NewestImages: Sendable {
    struct Entry: Sendable {
        let change: CacheChange
        let t: Duration
    }

    static let capacity = 40

    private(set) var entries: [Entry] = []
    /// The last addition, which a purge that follows was caused by.
    private(set) var last: CacheChange?

    mutating func take(_ change: CacheChange, t: Duration) {
        guard change.verb != .refused else { return }
        entries.removeAll { $0.change.key == change.key }
        guard change.verb != .removed else { return }
        last = change
        entries.insert(Entry(change: change, t: t), at: 0)
        if entries.count > Self.capacity { entries.removeLast() }
    }

    mutating func take(_ purge: CachePurge) {
        guard !entries.isEmpty else { return }
        let gone = Set(purge.victims.map(\.key))
        entries.removeAll { gone.contains($0.change.key) }
    }

    /// Events were lost: what is left may not be there any more.
    mutating func forget() { entries = [] }
}
