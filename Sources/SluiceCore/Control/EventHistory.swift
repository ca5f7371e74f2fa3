/// The last events, for subscribers that come late or read slowly.
///
/// Holds at most ``limit``, and no more than ``headLimit`` bytes of heads, oldest dropped first, under their numbers: a
/// value, bounded whatever happens.
public struct EventHistory: Sendable {
    /// Events that are kept; who is further behind has lost some.
    public static let limit = 10_000

    /// Bytes of the heads of answers that are kept: a server may send 300 KiB of them each time.
    public static let headLimit = 33_554_432

    private var events = Queue<PipelineEvent>()
    /// Bytes of heads in them.
    private var headBytes = 0
    /// Number of the newest event; 0 before the first.
    public private(set) var newest = 0

    /// Holds nothing yet.
    public init() {}

    /// Number of the oldest event that is kept; one more than ``newest`` if there is none.
    public var oldest: Int { newest - events.count + 1 }

    /// Takes the next event; its number is one more than that of the last.
    public mutating func append(_ event: PipelineEvent) {
        newest = event.seq
        events.append(event)
        headBytes += Self.headBytes(of: event)
        while events.count > Self.limit || headBytes > Self.headLimit, let dropped = events.popFirst() {
            headBytes -= Self.headBytes(of: dropped)
        }
    }

    private static func headBytes(of event: PipelineEvent) -> Int {
        guard case .taskResponse(_, let head, _) = event.kind else { return 0 }
        return head.fields.reduce(0) { $0 + $1.name.utf8.count + $1.value.utf8.count + MemoryLayout<HeaderField>.size }
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
        return Array(events[(seq - oldest)...(end - oldest)])
    }
}
