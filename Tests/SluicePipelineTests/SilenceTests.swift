import SluiceCore
import SluiceOrigin
import SluiceTestSupport
import Testing

@testable import SluicePipeline

/// A server that says nothing more.
@Suite(.timeLimit(.minutes(5)))
struct SilenceTests {
    @Test func aRateFallsToNothingWithoutAByte() throws {
        let origin = try Origin()
        origin.route("/stalled.bin") { _, _ in
            var answer = OriginResponse.bytes([UInt8](repeating: 7, count: 600_000), type: "application/octet-stream")
            answer.fault = .stall(after: 200_000)
            return answer
        }
        let snapshots = SnapshotBox()
        let harness = try PipelineHarness(keeping: snapshots)

        harness.submit(origin.url("/stalled.bin"))
        let silent = snapshots.wait { $0.rate == 0 && $0.active.contains { $0.received > 0 && $0.rate == 0 } }

        #expect(silent?.active.first?.received == 200_000)
        let first = snapshots.all.first { ($0.active.first?.received ?? 0) > 0 }
        #expect(first.map { $0.isRateMeasured || $0.active[0].isRateMeasured } == false, "the first bytes are no rate")
        let rates = snapshots.all.filter { $0.active.first?.received == 200_000 }.map(\.rate)
        #expect(rates.count > 2, "it fades, and every second tells how far")
        #expect(zip(rates, rates.dropFirst()).allSatisfy { $0 >= $1 })
        let since = try #require(silent?.active.first?.silentSince)
        #expect(silent.map { $0.time - since >= TransferMeter.silence } == true)
        try harness.shutDown()
    }

    /// What is paused was subtracted until the transport told of its end, and then counted as if it came anew.
    @Test(arguments: [true, false]) func whatIsStoppedCountsOnce(isPaused: Bool) throws {
        let origin = try Origin()
        for path in ["/a.bin", "/b.bin"] {
            origin.route(path) { _, _ in
                let body = [UInt8](repeating: 7, count: 600_000)
                var answer = OriginResponse.bytes(body, type: "application/octet-stream")
                answer.fault = .stall(after: 200_000)
                return answer
            }
        }
        let snapshots = SnapshotBox()
        let harness = try PipelineHarness(keeping: snapshots)

        harness.submit(origin.url("/a.bin"), origin.url("/b.bin"))
        let both = snapshots.wait { $0.active.count == 2 && $0.active.allSatisfy { $0.received == 200_000 } }
        let before = try #require(both)
        harness.pipeline.send(.steer(isPaused ? .pause : .abort, .task(before.active[0].task)))
        _ = snapshots.wait { $0.active.count == 1 && $0.time - before.time > .milliseconds(200) }

        let after = snapshots.all.filter { $0.time >= before.time }
        #expect(after.count > 1)
        #expect(after.allSatisfy { $0.received == 400_000 })
        #expect(after.allSatisfy { $0.rate <= before.rate }, "\(before.rate): \(after.map(\.rate))")
        try harness.shutDown()
    }

    @Test func whatRunsTellsTheNameThatItWillHave() throws {
        let origin = try Origin()
        for path in ["/1/k.bin", "/2/k.bin"] {
            origin.route(path) { _, _ in
                let body = [UInt8](repeating: 7, count: 600_000)
                var answer = OriginResponse.bytes(body, type: "application/octet-stream")
                answer.fault = .stall(after: 500_000)
                return answer
            }
        }
        let snapshots = SnapshotBox()
        let harness = try PipelineHarness(saves: true, keeping: snapshots)

        harness.submit(origin.url("/1/k.bin"), origin.url("/2/k.bin"))
        let both = snapshots.wait { $0.active.count == 2 && $0.active.allSatisfy { $0.file != nil } }

        let names = both?.active.compactMap { $0.file?.split(separator: "/").last.map(String.init) }
        #expect(names.map(Set.init) == ["k.bin", "k.1.bin"])
        #expect(both?.active.allSatisfy { $0.name == "k.bin" } == true)
        try harness.shutDown()
    }

    @Test func whatHasNoNameYetTellsWhereItsFileIsWished() throws {
        let origin = try Origin()
        origin.route("/k.bin") { _, _ in
            var answer = OriginResponse.bytes([7], type: "application/octet-stream")
            answer.fault = .stall(after: 0)
            return answer
        }
        let snapshots = SnapshotBox()
        let harness = try PipelineHarness(saves: true, keeping: snapshots)

        harness.submit(origin.url("/k.bin"), options: RequestOptions(destination: "sub/other.bin"))
        let row = snapshots.wait { !$0.active.isEmpty }?.active.first

        #expect(row?.destination == "sub/other.bin" && row?.file == nil && row?.name == "k.bin")
        try harness.shutDown()
    }
}
