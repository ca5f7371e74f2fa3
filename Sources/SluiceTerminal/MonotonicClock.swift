internal import CLinux
internal import SluiceCore

/// Reads the clock for the terminal's shell, once a round.
enum MonotonicClock {
    static func now() -> Timestamp {
        var time = timespec()
        unsafe clock_gettime(CLOCK_MONOTONIC, &time)
        return Timestamp(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
    }

    /// What `poll` wants: whole milliseconds until `deadline`, rounded up so that it never wakes early; −1 for none.
    static func milliseconds(until deadline: Timestamp?, from now: Timestamp) -> Int32 {
        guard let deadline else { return -1 }
        guard deadline > now else { return 0 }
        return Int32(clamping: ((deadline - now).nanoseconds - 1) / 1_000_000 + 1)
    }
}
