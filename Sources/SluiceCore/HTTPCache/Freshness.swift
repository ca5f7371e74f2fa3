/// How old a stored response is, and for how long it is fresh.
///
/// - SeeAlso: RFC 9111 §4.2
public struct Freshness: Equatable, Sendable {
    /// What the lifetime was taken from.
    public enum Basis: Equatable, Sendable {
        /// `max-age`, which goes before all others.
        case maxAge
        /// `Expires`, counted from `Date`.
        case expires
        /// A tenth of the time since it was last modified.
        case heuristic
        /// Nothing says anything: it is stale from the start.
        case none
        /// What is said makes no sense, or contradicts itself.
        case invalid
    }

    /// In seconds.
    public let lifetime: Int
    /// Where ``lifetime`` comes from.
    public let basis: Basis
    /// In milliseconds.
    public let age: Int64

    /// Whole seconds, as the field `Age` says it.
    public var ageSeconds: Int { Int(age / 1000) }
    /// Whether it may answer without the origin: its lifetime is longer than its age.
    public var isFresh: Bool { Int64(lifetime) * 1000 > age }
    /// How long it has been stale, in seconds, rounded up; 0 while fresh.
    public var staleness: Int { isFresh ? 0 : Int((age - Int64(lifetime) * 1000 + 999) / 1000) }
    /// How long it will be fresh, in seconds.
    public var remaining: Int { isFresh ? Int((Int64(lifetime) * 1000 - age) / 1000) : 0 }

    /// Statuses whose answers may be reused without being told so.
    ///
    /// - SeeAlso: RFC 9110 §15.1
    static let heuristicStatuses: Set<Int> = [200, 203, 204, 206, 300, 301, 308, 404, 405, 410, 414, 501]

    /// Works both out.
    ///
    /// - Parameters:
    ///   - response: As stored.
    ///   - now: In milliseconds since 1970.
    public init(_ response: StoredResponse, now: Int64) {
        (lifetime, basis) = Self.lifetime(response)
        age = Self.age(response, now: now)
    }

    /// The private cache's part of §4.2.1: `s-maxage` is for shared ones.
    private static func lifetime(_ response: StoredResponse) -> (Int, Basis) {
        let control = CacheControl(response.fields)
        switch control.maxAge {
        case .seconds(let seconds): return (seconds, .maxAge)
        case .invalid: return (0, .invalid)
        case nil: break
        }
        if response.fields.has("expires") {
            guard let expires = response.fields.single("expires").flatMap({ HTTPDate.parse($0) }) else {
                return (0, .invalid)
            }
            return (min(max(0, expires - response.date), CacheControl.greatest), .expires)
        }
        guard heuristicStatuses.contains(response.status) || control.isPublic,
            let modified = response.fields.single("last-modified").flatMap({ HTTPDate.parse($0) }),
            // A date that nobody set: the year 1, or the beginning of a clock.
            modified > 0
        else { return (0, .none) }
        let lifetime = max(0, response.date - modified) / 10
        return lifetime > 0 ? (min(lifetime, CacheControl.greatest), .heuristic) : (0, .none)
    }

    /// §4.2.3, with the delay of the answer counted in.
    private static func age(_ response: StoredResponse, now: Int64) -> Int64 {
        // The field `Date` knows whole seconds only: a fraction of one is no age.
        let apparent = max(0, response.responseTime / 1000 - Int64(response.date))
        let delay = max(0, response.responseTime - response.requestTime)
        let corrected = Int64(statedAge(response.fields)) * 1000 + delay
        let initial = max(apparent * 1000, corrected)
        // Where the clock was set back, or ran ahead as this was stored, how far is all that is known: by so much it may
        // be older.
        return initial + abs(now - response.responseTime)
    }

    /// The first `Age`, as §5.1 asks; what is no number is ignored.
    private static func statedAge(_ fields: [HeaderField]) -> Int {
        guard let line = fields.values(of: "age").first,
            let first = line.split(separator: ",", omittingEmptySubsequences: false).first?.trimmingBlanks,
            !first.isEmpty, first.utf8.allSatisfy({ 0x30...0x39 ~= $0 })
        else { return 0 }
        return min(Int(first) ?? CacheControl.greatest, CacheControl.greatest)
    }
}
