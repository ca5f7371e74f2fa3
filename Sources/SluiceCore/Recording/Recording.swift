/// The events of one session, as a log has them; immutable.
///
/// Progress, of which most of a long log consists, takes 32 bytes an event.
public struct Recording: Sendable {
    /// The monotonic time that is taken for the start of every recorded session.
    public static let startTime = Timestamp(nanoseconds: 0)
    /// More events are not taken.
    public static let limit = 5_000_000

    private enum Stored {
        case progress(task: Int, received: Int, expected: Int?)
        case other(Box)
    }

    /// Keeps rows of the list small, whatever an event holds.
    private final class Box: Sendable {
        let event: PipelineEvent
        init(_ event: PipelineEvent) { self.event = event }
    }

    /// Of the session, at ``startTime``.
    public let start: SessionStart
    /// Of each event, in nanoseconds since the start; ascending.
    public private(set) var times: [Int64] = []
    /// The last line, from 1, if it was cut off and left out, as where the program was killed.
    public internal(set) var cutOffLine: Int?
    private var stored: [Stored] = []

    init(start: SessionStart) { self.start = start }

    /// Events.
    public var count: Int { stored.count }

    /// From the start of the session to the last event.
    public var length: Duration { .nanoseconds(times.last ?? 0) }

    /// - Parameter index: `0..<count`
    public subscript(index: Int) -> PipelineEvent {
        switch stored[index] {
        case .progress(let task, let received, let expected):
            PipelineEvent(
                seq: index + 1,
                t: .nanoseconds(times[index]),
                kind: .taskProgress(TaskID(task), received: received, expected: expected)
            )
        case .other(let box): box.event
        }
    }

    /// How many events' time has come, in nanoseconds since the start.
    ///
    /// - Complexity: O(log n)
    static func count(of times: [Int64], until time: Int64) -> Int {
        var (low, high) = (0, times.count)
        while low < high {
            let middle = (low + high) / 2
            if times[middle] <= time { low = middle + 1 } else { high = middle }
        }
        return low
    }

    mutating func append(_ event: PipelineEvent) {
        // Time that runs backwards would be a fault of whoever wrote the log; the order of events counts.
        let time = max(event.t.nanoseconds, times.last ?? 0)
        times.append(time)
        switch event.kind {
        case .taskProgress(let task, let received, let expected):
            stored.append(.progress(task: task.rawValue, received: received, expected: expected))
        default:
            stored.append(.other(Box(PipelineEvent(seq: event.seq, t: .nanoseconds(time), kind: event.kind))))
        }
    }
}
