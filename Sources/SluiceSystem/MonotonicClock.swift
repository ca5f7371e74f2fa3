internal import CLinux
package import SluiceCore

/// Reads the clock for shells, which pass the reading on: no machine asks for the time.
///
/// It goes on while the computer sleeps: ages of answers, times of day and waits mean the world's time.
package enum MonotonicClock {
    package static func now() -> Timestamp {
        var time = timespec()
        unsafe clock_gettime(CLOCK_BOOTTIME, &time)
        return Timestamp(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
    }

    /// What `poll` wants: whole milliseconds until `deadline`, rounded up so that it never wakes early; −1 for none.
    ///
    /// A minute at most: it does not count the time in which the computer sleeps, and what is due meanwhile shall not be
    /// much later than that.
    package static func milliseconds(from now: Timestamp, to deadline: Timestamp?) -> Int32 {
        guard let deadline else { return -1 }
        guard deadline > now else { return 0 }
        return Int32(min(60_000, (deadline.nanoseconds - now.nanoseconds - 1) / 1_000_000 + 1))
    }
}
