internal import CLinux
internal import SluiceCore

/// Reads the monotonic clock for the origin's delays and its log.
enum MonotonicClock {
    static func now() -> Timestamp {
        var time = timespec()
        unsafe clock_gettime(CLOCK_MONOTONIC, &time)
        return Timestamp(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
    }

    /// What `poll` wants: whole milliseconds from `time` to `deadline`, rounded up; -1 without a deadline.
    static func milliseconds(from time: Timestamp, to deadline: Timestamp?) -> Int32 {
        guard let deadline else { return -1 }
        let nanoseconds = max(0, (deadline - time).nanoseconds)
        return Int32(min(nanoseconds / 1_000_000 + (nanoseconds % 1_000_000 == 0 ? 0 : 1), 60_000))
    }
}
