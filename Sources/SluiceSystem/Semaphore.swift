internal import Glibc

/// Turns that threads wait for, as many as were given; takes no file descriptor, so that it can be had at any time.
///
/// - SeeAlso: sem_overview(7)
@safe
package final class Semaphore: Sendable {
    // Any thread may post and wait, and the memory is there as long as this object.
    private nonisolated(unsafe) let turns: UnsafeMutablePointer<sem_t>

    /// None can be taken yet.
    package init() {
        unsafe turns = .allocate(capacity: 1)
        unsafe sem_init(turns, 0, 0)
    }

    deinit {
        unsafe sem_destroy(turns)
        unsafe turns.deallocate()
    }

    /// Gives so many turns; never blocks.
    package func give(_ count: Int = 1) {
        for _ in 0..<count { unsafe sem_post(turns) }
    }

    /// Takes a turn, and waits for one if need be.
    package func take() {
        // Who waits may be its only owner.
        withExtendedLifetime(self) {
            while unsafe sem_wait(turns) != 0, errno == EINTR {}
        }
    }
}
