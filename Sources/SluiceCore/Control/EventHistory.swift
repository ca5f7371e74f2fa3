/// The last events, for subscribers that come late or read slowly.
///
/// Holds at most ``limit``, oldest dropped first, under their numbers: a value, bounded
/// whatever happens.
public struct EventHistory: Sendable {
    /// Events that are kept; who is further behind has lost some.
    public static let limit = 10_000

    private var ring = RingBuffer<PipelineEvent>(limit: Self.limit)
    /// Number of the newest event; 0 before the first.
    public private(set) var newest = 0

    /// Holds nothing yet.
    public init() {}

    /// Number of the oldest event that is kept; one more than ``newest`` if there is none.
    public var oldest: Int { newest - ring.count + 1 }

    /// Takes the next event; its number is one more than that of the last.
    public mutating func append(_ event: PipelineEvent) {
        newest = event.seq
        ring.append(event)
    }

    /// The events from `seq` on that are kept.
    ///
    /// - Parameters:
    ///   - seq: `oldest...`
    ///   - last: No later ones than this.
    ///   - limit: No more than so many.
    /// - Returns: In order; none if `seq` is gone.
    public func events(from seq: Int, through last: Int, atMost limit: Int) -> [PipelineEvent] {
        let end = min(last, newest, seq + limit - 1)
        guard seq >= oldest, seq <= end else { return [] }
        return Array(ring[(seq - oldest)...(end - oldest)])
    }
}
