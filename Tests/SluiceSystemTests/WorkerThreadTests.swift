import CLinux
import Glibc
import SluiceCore
import SluiceSystem
import Testing

/// Threads that run one closure.
@Suite(.timeLimit(.minutes(5)))
struct WorkerThreadTests {
    @Test func joiningWaitsForTheClosure() {
        let steps = Locked<[String]>([])
        let gate = eventfd(0, Int32(EFD_CLOEXEC))
        defer { close(gate) }

        let thread = WorkerThread {
            var rings: eventfd_t = 0
            _ = unsafe eventfd_read(gate, &rings)
            steps.withLock { $0.append("ran") }
        }
        steps.withLock { $0.append("started") }
        eventfd_write(gate, 1)
        thread.join()

        #expect(steps.withLock { $0 } == ["started", "ran"])
    }

    @Test func aJoinedThreadHasLetGoOfWhatItsClosureHeld() {
        final class Held: Sendable {}
        var held: Held? = Held()
        weak let left = held

        let thread = WorkerThread { [held] in withExtendedLifetime(held) {} }
        held = nil
        thread.join()

        #expect(left == nil)
    }

    @Test func onlyTheThreadItselfIsCurrent() {
        let seen = Locked<UInt>(0)
        let thread = WorkerThread { seen.withLock { $0 = pthread_self() } }
        #expect(!thread.isCurrent)
        thread.join()
        #expect(seen.withLock { $0 } == thread.identifier)
    }

    @Test(arguments: [(SIGINT, true), (SIGPIPE, true), (SIGWINCH, true), (SIGSEGV, false), (SIGABRT, false)])
    func signalsAreBlockedExceptThoseOfACrash(signal: Int32, isBlocked: Bool) {
        let found = Locked<Bool?>(nil)

        // A thread inherits what its maker blocks, so its maker blocks nothing.
        let maker = WorkerThread {
            var none = sigset_t()
            unsafe sigemptyset(&none)
            unsafe pthread_sigmask(SIG_SETMASK, &none, nil)
            let thread = WorkerThread {
                var mask = sigset_t()
                unsafe pthread_sigmask(SIG_BLOCK, nil, &mask)
                let isMember = unsafe sigismember(&mask, signal) == 1
                found.withLock { $0 = isMember }
            }
            thread.join()
        }
        maker.join()

        #expect(found.withLock { $0 } == isBlocked)
    }
}
