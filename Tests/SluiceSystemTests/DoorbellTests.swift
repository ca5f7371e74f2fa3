import CLinux
import Glibc
import SluiceSystem
import Testing

@Suite(.timeLimit(.minutes(5)))
struct DoorbellTests {
    private func isReadable(_ bell: Doorbell) -> Bool {
        var watched = pollfd(fd: bell.descriptor, events: Int16(POLLIN), revents: 0)
        return unsafe poll(&watched, 1, 0) > 0
    }

    @Test(arguments: [false, true]) func ringsAreKeptUntilTheyAreAnswered(waits: Bool) {
        let bell = Doorbell(waits: waits)
        #expect(!isReadable(bell))
        for _ in 0..<3 { bell.ring() }
        #expect(isReadable(bell))
        bell.answer()
        #expect(!isReadable(bell))
    }

    @Test func answeringABellThatDidNotRingReturns() throws {
        Doorbell().answer()
        try #require(Doorbell.ifPossible()).answer()
    }

    @Test func aBellThatWaitsIsHeardFromAnotherThread() {
        let (bell, reply) = (Doorbell(waits: true), Doorbell(waits: true))
        let thread = WorkerThread {
            bell.answer()
            reply.ring()
        }
        bell.ring()
        reply.answer()
        thread.join()
        #expect(!isReadable(bell) && !isReadable(reply))
    }
}
