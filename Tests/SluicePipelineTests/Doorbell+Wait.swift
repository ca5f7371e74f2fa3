import CLinux
import Glibc
import SluiceCore
import SluiceSystem
import SluiceTestSupport

extension Doorbell {
    /// Waits until a condition holds, and asks for it anew after each ring; of a bell that does not wait by itself.
    ///
    /// - Returns: Whether it did before the limit.
    func wait(atMost limit: Duration = .patience, until condition: () -> Bool) -> Bool {
        let deadline = MonotonicClock.now() + limit
        while true {
            answer()
            if condition() { return true }
            let remaining = deadline - MonotonicClock.now()
            if remaining <= .zero { return false }
            var watched = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            _ = unsafe poll(&watched, 1, Int32(remaining.nanoseconds / 1_000_000 + 1))
        }
    }
}
