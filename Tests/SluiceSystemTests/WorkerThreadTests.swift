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
        let gate = Doorbell(waits: true)

        let thread = WorkerThread {
            gate.answer()
            steps.withLock { $0.append("ran") }
        }
        steps.withLock { $0.append("started") }
        gate.ring()
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

    /// It waits for its turn when it is woken; programs that it starts do not.
    @Test func aThreadTakesTurns() {
        let found = Locked<[Int32]>([])
        WorkerThread {
            found.withLock { $0.append(sched_getscheduler(0)) }
            var attributes = posix_spawnattr_t()
            unsafe posix_spawnattr_init(&attributes)
            defer { unsafe posix_spawnattr_destroy(&attributes) }
            unsafe sluice_spawn_afresh(&attributes)
            // The policy of the program that looks, as proc(5) has it.
            let texts = ["sh", "-c", "exit $(cut -d ' ' -f 41 /proc/self/stat)"]
            let words: [UnsafeMutablePointer<CChar>?] = unsafe texts.map { unsafe strdup($0) } + [nil]
            defer { for index in unsafe words.indices { unsafe free(words[index]) } }
            var (child, status) = (pid_t(), Int32(-1))
            guard unsafe posix_spawn(&child, "/bin/sh", nil, &attributes, words, environ) == 0 else { return }
            unsafe waitpid(child, &status, 0)
            found.withLock { $0.append(status >> 8) }
        }.join()
        // SCHED_BATCH and SCHED_OTHER.
        #expect(found.withLock { $0 } == [3, 0])
    }
}
