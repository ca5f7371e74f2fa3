internal import Glibc

/// Turns that threads wait for, as many as were given; takes no file descriptor, so that it can be had at any time.
///
/// - SeeAlso: sem_overview(7)
@safe
package final class Semaphore: Sendable {
    // Sound: only sem_post(3) and sem_wait(3) touch it between init and deinit, which POSIX allows any threads at once, and
    // whoever calls them holds this object, so that the memory is there.
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
