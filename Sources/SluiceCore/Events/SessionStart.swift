/// When a session began, by both clocks.
///
/// What happens later is dated by it, as if nobody had set the clock since.
public struct SessionStart: Sendable, Equatable {
    /// The zero of the times of its events, on the monotonic clock.
    public let time: Timestamp
    /// The same moment.
    public let nanosecondsSince1970: Int64

    public init(time: Timestamp, nanosecondsSince1970: Int64) {
        (self.time, self.nanosecondsSince1970) = (time, nanosecondsSince1970)
    }

    /// The time of day at a moment of the monotonic clock, in nanoseconds since 1970.
    public func nanosecondsSince1970(at moment: Timestamp) -> Int64 {
        nanosecondsSince1970 + (moment - time).nanoseconds
    }

    /// As ``nanosecondsSince1970(at:)``, for a time since the start of the session.
    func nanosecondsSince1970(after elapsed: Duration) -> Int64 { nanosecondsSince1970 + elapsed.nanoseconds }
}
