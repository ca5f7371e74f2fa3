import SluiceCore
import Testing

@testable import SluiceCurl

/// The limiter alone, at times that the test sets.
struct RateLimiterTests {
    /// Transfers that always have a chunk ready, in steps of a millisecond.
    private struct Simulation {
        var limiter = RateLimiter()
        var received: [Int]
        var stopped: Set<Int> = []
        let chunk: Int

        init(transfers: Int, rate: Int, chunk: Int) {
            self.chunk = chunk
            received = Array(repeating: 0, count: transfers)
            _ = limiter.setRate(rate, now: Timestamp(nanoseconds: 0))
            for transfer in 0..<transfers { limiter.add(TransferID(transfer)) }
        }

        mutating func run(milliseconds: Range<Int>, hungry: (Int) -> Bool = { _ in true }) {
            for time in milliseconds {
                let now = Timestamp(nanoseconds: Int64(time) * 1_000_000)
                if let deadline = limiter.deadline, deadline <= now {
                    for transfer in limiter.deal(now: now) { stopped.remove(transfer.rawValue) }
                }
                for transfer in received.indices where hungry(transfer) {
                    for _ in 0..<8 where !stopped.contains(transfer) {
                        received[transfer] += chunk
                        let mustStop = limiter.mustStop(TransferID(transfer), afterTaking: chunk)
                        if mustStop { stopped.insert(transfer) }
                    }
                }
            }
        }

        var total: Int { received.reduce(0, +) }
    }

    @Test func oneTransferCanBeSlowerThanTheOthers() {
        var simulation = Simulation(transfers: 3, rate: 300_000, chunk: 100)
        _ = simulation.limiter.setRate(10_000, of: TransferID(0), now: Timestamp(nanoseconds: 0))
        simulation.run(milliseconds: 0..<1_000)
        #expect((9_000...11_500).contains(simulation.received[0]), "\(simulation.received)")
        #expect((260_000...320_000).contains(simulation.total), "others get what it leaves: \(simulation.received)")

        let resumed = simulation.limiter.setRate(0, of: TransferID(0), now: Timestamp(nanoseconds: 1_000_000_000))
        for transfer in resumed { simulation.stopped.remove(transfer.rawValue) }
        let before = simulation.received[0]
        simulation.run(milliseconds: 1_000..<2_000)
        #expect(simulation.received[0] - before > 80_000, "\(simulation.received)")
    }

    @Test func aLimitOfItsOwnNeedsNoOther() {
        var simulation = Simulation(transfers: 2, rate: 0, chunk: 100)
        _ = simulation.limiter.setRate(50_000, of: TransferID(1), now: Timestamp(nanoseconds: 0))
        simulation.run(milliseconds: 0..<1_000)
        #expect(simulation.received[0] == 800_000)
        #expect((45_000...55_000).contains(simulation.received[1]), "\(simulation.received)")
        simulation.limiter.remove(TransferID(1))
        #expect(!simulation.limiter.isActive && simulation.limiter.deadline == nil)
    }

    @Test(arguments: [100_000, 1_048_576, 50_000_000], [1, 2, 3, 5, 8])
    func theRateIsKeptAndDealtOutFairly(rate: Int, transfers: Int) {
        // Long enough for a chunk not to matter.
        let seconds = rate < 1_000_000 ? 100 : 20
        var simulation = Simulation(transfers: transfers, rate: rate, chunk: min(16_384, max(1_024, rate / 16)))
        simulation.run(milliseconds: 0..<seconds * 1_000)

        let ideal = rate * seconds
        #expect(abs(simulation.total - ideal) * 50 <= ideal, "within 2 %: \(simulation.total) of \(ideal)")
        for received in simulation.received {
            #expect(abs(received * transfers - ideal) * 10 <= ideal, "within 10 %: \(simulation.received)")
        }
    }

    @Test func whatOneDoesNotUseGoesToTheOthers() {
        var simulation = Simulation(transfers: 4, rate: 1_000_000, chunk: 16_384)
        simulation.run(milliseconds: 0..<20_000) { $0 == 0 }
        #expect(abs(simulation.received[0] - 20_000_000) * 50 <= 20_000_000)
    }

    @Test func afterASilenceThereIsNoBurst() {
        var simulation = Simulation(transfers: 2, rate: 1_000_000, chunk: 16_384)
        simulation.run(milliseconds: 0..<1_000) { _ in false }
        simulation.run(milliseconds: 10_000..<10_100)
        // What the time allows, what each may save up, and the chunk that each is on.
        #expect(simulation.total <= 100_000 + 2 * 50_000 + 2 * 16_384)
    }

    @Test func leavingTransfersLeaveTheirShare() {
        var simulation = Simulation(transfers: 2, rate: 1_000_000, chunk: 16_384)
        simulation.run(milliseconds: 0..<10_000)
        let before = simulation.received[0]
        simulation.limiter.remove(TransferID(1))
        simulation.run(milliseconds: 10_000..<20_000) { $0 == 0 }
        #expect(abs(simulation.received[0] - before - 10_000_000) * 20 <= 10_000_000)
    }

    @Test func withoutALimitNobodyStops() {
        var limiter = RateLimiter()
        limiter.add(TransferID(1))
        let mustStop = limiter.mustStop(TransferID(1), afterTaking: 1 << 40)
        #expect(!mustStop)
        #expect(limiter.deadline == nil)
        let resumed = limiter.deal(now: Timestamp(nanoseconds: 1 << 40))
        #expect(resumed.isEmpty)
    }

    @Test func liftingTheLimitResumesAllThatStopped() {
        var limiter = RateLimiter()
        let now = Timestamp(nanoseconds: 0)
        _ = limiter.setRate(1_000, now: now)
        for transfer in 1...3 { limiter.add(TransferID(transfer)) }
        let stops = (1...2).map { limiter.mustStop(TransferID($0), afterTaking: 5_000) }
        #expect(stops == [true, true])
        #expect(limiter.deadline == now + RateLimiter.interval)
        let resumed = limiter.setRate(0, now: now)
        #expect(resumed == [TransferID(1), TransferID(2)])
        #expect(limiter.deadline == nil)
    }

    @Test func aChangedRateHoldsAtOnce() {
        var limiter = RateLimiter()
        limiter.add(TransferID(1))
        _ = limiter.setRate(1_000_000, now: Timestamp(nanoseconds: 0))
        let mustStop = limiter.mustStop(TransferID(1), afterTaking: 100_000)
        _ = limiter.setRate(10_000_000, now: Timestamp(nanoseconds: 1_000_000))
        let resumed = limiter.deal(now: Timestamp(nanoseconds: 31_000_000))
        #expect(mustStop)
        #expect(resumed == [TransferID(1)])
    }
}
