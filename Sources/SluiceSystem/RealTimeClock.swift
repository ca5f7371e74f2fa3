internal import CLinux

/// Reads the time of day for shells, which pass the reading on.
///
/// Somebody may set it at any time: waits and rates are measured by ``MonotonicClock``.
package enum RealTimeClock {
    package static func nanosecondsSince1970() -> Int64 {
        var time = timespec()
        unsafe clock_gettime(CLOCK_REALTIME, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }

    package static func millisecondsSince1970() -> Int64 { nanosecondsSince1970() / 1_000_000 }
}
