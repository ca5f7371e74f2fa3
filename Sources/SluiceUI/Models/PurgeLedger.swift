internal import SluiceCore

/// The last purges of the memory cache, newest first, each with its why.
struct PurgeLedger: Sendable {
    struct Entry: Sendable {
        /// Grows with each purge.
        let id: Int
        let t: Duration
        /// With the first victims only; see ``victimCount``.
        let purge: CachePurge
        let victimCount: Int
        /// The entry whose adding went over the capacity.
        let cause: CacheChange?
    }

    static let capacity = 100
    static let keptVictims = 40

    private(set) var entries: [Entry] = []
    private var last = 0

    mutating func add(_ purge: CachePurge, t: Duration, cause: CacheChange?) {
        var kept = purge
        kept.victims = Array(purge.victims.prefix(Self.keptVictims))
        last += 1
        entries.insert(
            Entry(id: last, t: t, purge: kept, victimCount: purge.victims.count, cause: cause),
            at: 0
        )
        if entries.count > Self.capacity { entries.removeLast() }
    }
}
