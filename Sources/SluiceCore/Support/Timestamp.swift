/// A reading of the monotonic clock; a value, so that tests set the time.
///
/// Only differences between readings mean something. Shells read the clock once a
/// round and pass the reading on; no machine ever asks for the time.
public struct Timestamp: Comparable, Hashable, Sendable {
    /// Nanoseconds since an arbitrary moment before the process started; the loop reads Linux' `CLOCK_BOOTTIME`.
    public let nanoseconds: Int64

    /// A reading that a shell took, or that a test sets.
    public init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

    public static func < (left: Timestamp, right: Timestamp) -> Bool { left.nanoseconds < right.nanoseconds }

    /// The time after a duration; one beyond what can be counted becomes the nearest that can.
    public static func + (time: Timestamp, duration: Duration) -> Timestamp {
        let (sum, isOver) = time.nanoseconds.addingReportingOverflow(duration.nanoseconds)
        return Timestamp(nanoseconds: isOver ? (duration < .zero ? .min : .max) : sum)
    }

    /// From one time to another; negative if `later` is not.
    ///
    /// More than can be counted becomes the most that can.
    public static func - (later: Timestamp, earlier: Timestamp) -> Duration {
        let (difference, isOver) = later.nanoseconds.subtractingReportingOverflow(earlier.nanoseconds)
        return .nanoseconds(isOver ? (later < earlier ? .min : .max) : difference)
    }
}

extension Duration {
    /// The whole duration in nanoseconds, cut off; beyond ±292 years the nearest that there is.
    public var nanoseconds: Int64 {
        let (seconds, attoseconds) = components
        let (whole, isTooLong) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        let (sum, isOver) = whole.addingReportingOverflow(attoseconds / 1_000_000_000)
        return isTooLong || isOver ? (seconds < 0 ? .min : .max) : sum
    }

    /// The duration in seconds.
    public var seconds: Double { Double(nanoseconds) / 1e9 }
}
