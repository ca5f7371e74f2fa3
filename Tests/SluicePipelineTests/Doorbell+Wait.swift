import CLinux
import Glibc
import SluiceCore
import SluiceSystem
import SluiceTestSupport

extension Doorbell {
    /// Waits until a condition holds, and asks for it anew after each ring; of a bell that does not wait by itself.
    ///
    /// Each ring gives it ``Swift/Duration/patience`` anew: a thousand tasks on a busy machine take longer than that, and
    /// only what has fallen silent never comes. Ten times as long is the end.
    ///
    /// - Returns: Whether it did before that.
    func wait(until condition: () -> Bool) -> Bool {
        let end = MonotonicClock.now() + Duration.patience * 10
        var deadline = MonotonicClock.now() + .patience
        while true {
            answer()
            if condition() { return true }
            let now = MonotonicClock.now()
            if now >= deadline { return false }
            var watched = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            let count = unsafe poll(&watched, 1, MonotonicClock.milliseconds(from: now, to: deadline))
            if count > 0 { deadline = min(MonotonicClock.now() + .patience, end) }
        }
    }
}
