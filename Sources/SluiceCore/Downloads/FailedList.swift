/// Remembers for a while what failed for good, so that lists do not ask in vain again.
///
/// It neither knows which errors are permanent nor how long they are remembered: see
/// ``DownloadError/isPermanent`` and ``Settings/failedFor``. Pure; times are passed in.
public struct FailedList: Sendable {
    /// One key that is remembered.
    public struct Entry: Equatable, Sendable {
        /// Why it failed for good.
        public let error: DownloadError
        /// What was asked for; without credentials.
        public let url: String
        /// When the key may be tried again.
        public let until: Timestamp
        /// What may have caused it, as ``FailureCircumstances/mark(of:)`` says; `nil` if that is not known.
        public let circumstances: String?
    }

    /// By merge key as text.
    private var entries: [String: Entry] = [:]
    /// Keys with their times as they were inserted; what was inserted again or removed is skipped later.
    private var order = Queue<(key: String, until: Timestamp)>()

    /// Remembers nothing yet.
    public init() {}

    /// Keys that are remembered, those included that expired since the last ``expire(now:)``.
    public var count: Int { entries.count }

    /// Remembers a failure; a newer one of the same key takes its place.
    ///
    /// - Parameters:
    ///   - key: Of the task that failed.
    ///   - error: Why.
    ///   - until: When the key may be tried again.
    ///   - circumstances: What may have caused it, for who keeps the list for a later process.
    public mutating func insert(
        _ key: MergeKey,
        _ error: DownloadError,
        until: Timestamp,
        circumstances: String? = nil
    ) {
        insert(key.text, url: key.url, error, until: until, circumstances: circumstances)
    }

    /// As a list of an earlier process says.
    public mutating func insert(
        _ key: String,
        url: String,
        _ error: DownloadError,
        until: Timestamp,
        circumstances: String? = nil
    ) {
        entries[key] = Entry(error: error, url: url, until: until, circumstances: circumstances)
        order.append((key, until))
        dropForgotten()
    }

    /// Those that are forgotten never are more than those that are remembered, so that nobody has to look past many.
    private mutating func dropForgotten() {
        guard order.count > 2 * entries.count + 64 else { return }
        var kept = Queue<(key: String, until: Timestamp)>()
        for place in order where entries[place.key]?.until == place.until { kept.append(place) }
        order = kept
    }

    /// What is remembered of a key.
    ///
    /// - Returns: `nil` if nothing is, or no longer.
    public func entry(for key: MergeKey, now: Timestamp) -> Entry? {
        entries.isEmpty ? nil : entries[key.text].flatMap { $0.until > now ? $0 : nil }
    }

    /// What is remembered, in no order; some of it may have expired since the last ``expire(now:)``.
    public var all: [(key: String, entry: Entry)] { entries.map { ($0.key, $0.value) } }

    /// What failed last, newest first.
    ///
    /// - Complexity: O(`count`), and of those that were forgotten or failed again since.
    public func newest(atMost count: Int) -> [(key: String, entry: Entry)] {
        var found: [(key: String, entry: Entry)] = []
        var seen: Set<String> = []
        for (key, until) in order.reversed() {
            if found.count == count { break }
            guard let entry = entries[key], entry.until == until, seen.insert(key).inserted else { continue }
            found.append((key, entry))
        }
        return found
    }

    /// Forgets one key.
    ///
    /// - Returns: Whether it was remembered.
    @discardableResult
    public mutating func remove(_ key: MergeKey) -> Bool {
        guard !entries.isEmpty, entries.removeValue(forKey: key.text) != nil else { return false }
        dropForgotten()
        return true
    }

    /// Forgets all keys of one URL: what was asked for with other headers, too.
    ///
    /// - Returns: The keys that were remembered.
    /// - Complexity: O(n)
    public mutating func remove(url: String) -> [String] {
        let keys = entries.filter { $0.value.url == url }.map(\.key)
        for key in keys { entries[key] = nil }
        dropForgotten()
        return keys
    }

    /// Forgets every key.
    ///
    /// - Returns: Those that were remembered.
    public mutating func removeAll() -> [String] {
        defer { self = FailedList() }
        return Array(entries.keys)
    }

    /// Forgets the keys whose errors a change may have cured.
    ///
    /// - Returns: The keys that were remembered.
    /// - Complexity: O(n)
    @discardableResult
    public mutating func clear(where isCured: (DownloadError) -> Bool) -> [String] {
        let keys = entries.filter { isCured($0.value.error) }.map(\.key)
        for key in keys { entries[key] = nil }
        dropForgotten()
        return keys
    }

    /// Lets what is remembered end later, or earlier, as if it had been remembered for another time from the beginning.
    ///
    /// - Parameter change: By how much; negative for earlier. What ends by it goes with the next ``expire(now:)``.
    /// - Complexity: O(n)
    public mutating func extend(by change: Duration) {
        entries = entries.mapValues {
            Entry(error: $0.error, url: $0.url, until: $0.until + change, circumstances: $0.circumstances)
        }
        for place in order.indices { order[place].until = order[place].until + change }
    }

    /// Forgets what expired.
    ///
    /// One that was inserted with a shorter time than those before it goes with them; until
    /// then it is counted, but not found.
    ///
    /// - Complexity: O(expired), amortised
    public mutating func expire(now: Timestamp) {
        while let (key, until) = order.first, until <= now {
            if entries[key]?.until == until { entries[key] = nil }
            _ = order.popFirst()
        }
    }
}
