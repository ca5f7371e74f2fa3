internal import SluiceCore

/// Times of day for the screen, from the wall clock at one moment and the monotonic clock since.
///
/// Never asks the system; a clock that is set while Sluice runs is not followed.
struct WallClock: Sendable {
    let start: Timestamp
    /// Nanoseconds since 1970, the local offset from UTC included.
    private let local: Int64

    init(start: SessionStart, utcOffsetSeconds: Int) {
        self.start = start.time
        local = start.nanosecondsSince1970 &+ Int64(clamping: utcOffsetSeconds) &* 1_000_000_000
    }

    /// `HH:MM`, or `HH:MM:SS`.
    func time(at moment: Timestamp, seconds: Bool = false) -> String {
        time(after: moment - start, seconds: seconds)
    }

    /// As ``time(at:seconds:)``, for a time since the start of the session.
    func time(after elapsed: Duration, seconds: Bool = false) -> String {
        let day: Int64 = 86_400
        let total = (local &+ elapsed.nanoseconds) / 1_000_000_000
        let second = Int(((total % day) + day) % day)
        let text = "\(Format.two(second / 3_600)):\(Format.two(second / 60 % 60))"
        return seconds ? text + ":\(Format.two(second % 60))" : text
    }
}
