/// Remembers for a while what failed for good, so that lists do not ask in vain again.
///
/// It neither knows which errors are permanent nor how long they are remembered: see
/// ``DownloadError/isPermanent`` and ``Settings/failedFor``. Pure; times are passed in.
public struct FailedList: Sendable {
    public struct Entry: Equatable, Sendable {
        public let error: DownloadError
        /// When the key may be tried again.
        public let until: Timestamp
    }

    private var entries: [MergeKey: Entry] = [:]
    /// Keys with their times as they were inserted; what was inserted again or removed is skipped later.
    private var order: [(key: MergeKey, until: Timestamp)] = []
    private var start = 0

    public init() {}

    /// Keys that are remembered, those included that expired since the last ``expire(now:)``.
    public var count: Int { entries.count }

    public mutating func insert(_ key: MergeKey, _ error: DownloadError, until: Timestamp) {
        entries[key] = Entry(error: error, until: until)
        order.append((key, until))
    }

    /// What is remembered of a key.
    ///
    /// - Returns: `nil` if nothing is, or no longer.
    public func entry(for key: MergeKey, now: Timestamp) -> Entry? {
        entries[key].flatMap { $0.until > now ? $0 : nil }
    }

    /// Forgets one key.
    ///
    /// - Returns: Whether it was remembered.
    @discardableResult
    public mutating func remove(_ key: MergeKey) -> Bool { entries.removeValue(forKey: key) != nil }

    /// Forgets the keys whose errors a change may have cured.
    ///
    /// - Complexity: O(n)
    public mutating func clear(where isCured: (DownloadError) -> Bool) {
        entries = entries.filter { !isCured($0.value.error) }
        if entries.isEmpty { (order, start) = ([], 0) }
    }

    /// Forgets what expired.
    ///
    /// One that was inserted with a shorter time than those before it goes with them; until
    /// then it is counted, but not found.
    ///
    /// - Complexity: O(expired), amortised
    public mutating func expire(now: Timestamp) {
        while start < order.count, order[start].until <= now {
            let (key, until) = order[start]
            if entries[key]?.until == until { entries[key] = nil }
            start += 1
        }
        guard start * 2 > order.count else { return }
        order.removeFirst(start)
        start = 0
    }
}
