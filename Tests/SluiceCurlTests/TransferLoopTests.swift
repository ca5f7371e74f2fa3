import SluiceCore
import SluiceCurl
import Testing

/// The thread itself, without any transfer.
@Suite(.timeLimit(.minutes(1)))
struct TransferLoopTests {
    private actor Counter: LoopClient {
        nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe loop.asUnownedSerialExecutor() }
        private nonisolated let loop: TransferLoop
        private(set) var count = 0
        private(set) var turns = 0
        private var isEnding = false

        init(_ loop: TransferLoop) { self.loop = loop }

        func increment() {
            preconditionIsolated("the executor is the loop's thread")
            count += 1
        }

        func end() { isEnding = true }

        nonisolated func turn(_ ready: [SocketEvent], now: Timestamp) -> LoopSleep {
            assumeIsolated { counter in
                counter.turns += 1
                return counter.isEnding ? .ended : .untilWoken
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
        await counter.end()
        loop.waitUntilEnded()
    }

    @Test func aWakeUpGivesARound() async {
        let loop = TransferLoop()
        let counter = Counter(loop)
        loop.run(counter)
        let before = await counter.turns
        loop.wake()
        while await counter.turns <= before {}
        await counter.end()
        loop.waitUntilEnded()
    }

    @Test func theEndLetsGoOfTheClient() async {
        let loop = TransferLoop()
        weak var released: Counter?
        do {
            let counter = Counter(loop)
            released = counter
            loop.run(counter)
            await counter.end()
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
