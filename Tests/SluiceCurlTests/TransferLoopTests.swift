import SluiceCore
import SluiceSystem
import Testing

@testable import SluiceCurl

/// The thread itself, without any transfer.
@Suite(.timeLimit(.minutes(5)))
struct TransferLoopTests {
    private actor Counter: LoopClient {
        nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe loop.asUnownedSerialExecutor() }
        private nonisolated let loop: TransferLoop
        private(set) var count = 0
        private let rounds: Doorbell?
        private nonisolated let isEnding = Locked(false)
        private nonisolated let heldUp = Locked(0)

        nonisolated var timesHeldUp: Int { heldUp.withLock(\.self) }

        init(_ loop: TransferLoop, rounds: Doorbell? = nil) { (self.loop, self.rounds) = (loop, rounds) }

        func increment() {
            preconditionIsolated("the executor is the loop's thread")
            count += 1
        }

        nonisolated func end() {
            isEnding.withLock { $0 = true }
            loop.wake()
        }

        nonisolated func wasHeldUp(for time: Duration) { heldUp.withLock { $0 += 1 } }

        nonisolated func turn(_ ready: [SocketEvent], now: Timestamp) -> LoopSleep {
            assumeIsolated { counter in
                counter.rounds?.ring()
                return counter.isEnding.withLock { $0 } ? .ended : .untilWoken
            }
        }
    }

    @Test func jobsOfTheActorRunOnTheLoopsThread() async {
        let loop = TransferLoop()
        let counter = Counter(loop)
        loop.run(counter)
        await withTaskGroup { group in
            for _ in 0..<1_000 { group.addTask { await counter.increment() } }
        }
        #expect(await counter.count == 1_000)
        counter.end()
        loop.waitUntilEnded()
    }

    /// Told by the client, since a question to the actor would give a round by itself.
    @Test func aWakeUpGivesARound() {
        let loop = TransferLoop()
        let rounds = Doorbell(waits: true)
        let counter = Counter(loop, rounds: rounds)
        loop.run(counter)
        rounds.answer()
        for _ in 1...3 {
            loop.wake()
            rounds.answer()
        }
        counter.end()
        loop.waitUntilEnded()
    }

    @Test("a long turn is told before the next one", arguments: [(Duration.zero, true), (.seconds(3_600), false)])
    func longTurnsAreTold(limit: Duration, isLong: Bool) {
        let loop = TransferLoop(longTurn: limit)
        let rounds = Doorbell(waits: true)
        let counter = Counter(loop, rounds: rounds)
        loop.run(counter)
        rounds.answer()
        loop.wake()
        rounds.answer()
        counter.end()
        loop.waitUntilEnded()
        #expect(isLong ? counter.timesHeldUp >= 2 : counter.timesHeldUp == 0)
    }

    @Test func theEndLetsGoOfTheClient() {
        let loop = TransferLoop()
        weak var released: Counter?
        do {
            let counter = Counter(loop)
            released = counter
            loop.run(counter)
            counter.end()
        }
        loop.waitUntilEnded()
        #expect(released == nil)
        loop.wake()
        loop.waitUntilEnded()
    }

    @Test func aLoopThatNeverRanHasEnded() {
        TransferLoop().waitUntilEnded()
    }
}
