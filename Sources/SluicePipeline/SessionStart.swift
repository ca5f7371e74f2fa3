internal import SluiceCore

/// When a session began, by both clocks.
struct SessionStart {
    /// The zero of the times of its events.
    let time: Timestamp
    /// The same moment.
    let nanosecondsSince1970: Int64

    /// The time of day, as if nobody had set the clock since the start.
    func nanosecondsSince1970(at now: Timestamp) -> Int64 { nanosecondsSince1970 + (now - time).nanoseconds }
}
