import CLinux
import Glibc
import SluiceCore
import SluicePipeline
import SluiceTestSupport
import Testing

@Suite(.timeLimit(.minutes(5)))
struct BlockingPoolTests {
    @Test func jobsThatWaitRunByPriority() throws {
        let pool = BlockingPool(threads: 1)
        defer { pool.close() }
        let (begun, gate, ended) = (Permits(), Permits(), Permits())
        let order = Locked<[Priority]>([])
        pool.add(.normal) {
            begun.give()
            _ = gate.take()
        }
        try #require(begun.take())
        for priority in [Priority.low, .high, .normal] {
            pool.add(priority) {
                order.withLock { $0.append(priority) }
                ended.give()
            }
        }
        gate.give()
        for _ in 1...3 { try #require(ended.take()) }
        #expect(order.withLock { $0 } == [.high, .normal, .low])
    }

    /// One after the other is let go, so that a thread too many would find a job while two are held.
    @Test func noMoreRunAtOnceThanThereAreThreads() throws {
        let pool = BlockingPool(threads: 2)
        defer { pool.close() }
        let (begun, gate, ended) = (Permits(), Permits(), Permits())
        let running = Locked((now: 0, most: 0))
        for _ in 1...20 {
            pool.add(.normal) {
                running.withLock { counts in
                    counts.now += 1
                    counts.most = max(counts.most, counts.now)
                }
                begun.give()
                _ = gate.take()
                running.withLock { $0.now -= 1 }
                ended.give()
            }
        }
        for _ in 1...2 { try #require(begun.take()) }
        for _ in 1...18 {
            gate.give()
            try #require(begun.take())
        }
        for _ in 1...2 { gate.give() }
        for _ in 1...20 { try #require(ended.take()) }
        #expect(running.withLock { $0.most } == 2)
    }

    /// One that was let go can't run any more.
    @Test func nothingBeginsOnceItIsClosed() throws {
        let pool = BlockingPool(threads: 1)
        let (begun, gate, dropped) = (Permits(), Permits(), Permits())
        let late = Locked(0)
        pool.add(.normal) {
            begun.give()
            _ = gate.take()
        }
        try #require(begun.take())
        for isClosed in [false, true] {
            if isClosed { pool.close() }
            let token = Token(dropped)
            pool.add(.high) { withExtendedLifetime(token) { late.withLock { $0 += 1 } } }
        }
        gate.give()
        for _ in 1...2 { try #require(dropped.take()) }
        #expect(late.withLock { $0 } == 0)
    }

    @Test func whatNeverBeginsIsDroppedInstead() throws {
        let pool = BlockingPool(threads: 1)
        let (begun, gate) = (Permits(), Permits())
        defer { gate.give() }
        let told = Locked<[String]>([])
        pool.add(.normal) {
            begun.give()
            _ = gate.take()
        } dropped: {
            told.withLock { $0.append("dropped what runs") }
        }
        try #require(begun.take())
        for name in ["before", "behind"] {
            if name == "behind" { pool.close() }
            pool.add(.high) {
                told.withLock { $0.append("run \(name)") }
            } dropped: {
                told.withLock { $0.append("dropped \(name)") }
            }
        }
        #expect(told.withLock { $0 } == ["dropped before", "dropped behind"])
    }

    /// Tells when nobody holds it any more.
    private final class Token: Sendable {
        private let dropped: Permits

        init(_ dropped: Permits) { self.dropped = dropped }

        deinit { dropped.give() }
    }

    /// As many as were given can be taken, by whichever threads.
    private final class Permits: Sendable {
        private let descriptor = eventfd(0, Int32(EFD_CLOEXEC | EFD_SEMAPHORE))

        deinit { CLinux.close(descriptor) }

        func give() { eventfd_write(descriptor, 1) }

        /// Takes one, and waits for it.
        ///
        /// - Returns: Whether there was one in time.
        func take() -> Bool {
            var watched = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            guard unsafe poll(&watched, 1, Int32(Duration.patience.nanoseconds / 1_000_000)) != 0 else { return false }
            var permit: eventfd_t = 0
            _ = unsafe eventfd_read(descriptor, &permit)
            return true
        }
    }
}
