import SluiceCore
import Testing

@testable import SluiceUI

/// When a row, and all of them, will be done.
struct TimeLeftTests {
    private func row(_ task: Int, received: Int, rate: Int, isSteady: Bool = true) -> PipelineSnapshot.Row {
        var row = PipelineSnapshot.Row(
            task: TaskID(task),
            url: "http://h/\(task)",
            name: "\(task)",
            host: "h",
            state: .active,
            submitted: Timestamp(nanoseconds: 0)
        )
        (row.received, row.expected, row.rate, row.isRateSteady) = (received, 1_000, rate, isSteady)
        return row
    }

    @Test func aRowThatHasJustBegunSaysNothingOfItsEnd() {
        #expect(row(1, received: 100, rate: 10).secondsLeft == 90)
        #expect(row(1, received: 100, rate: 10, isSteady: false).secondsLeft == nil)
        #expect(row(1, received: 100, rate: 0).secondsLeft == nil)
    }

    @Test func aSlowStartOfOneDoesNotPutOffTheEndOfAll() {
        var snapshot = PipelineSnapshot(time: Timestamp(nanoseconds: 0))
        snapshot.active = [row(1, received: 0, rate: 100), row(2, received: 0, rate: 1, isSteady: false)]
        (snapshot.rate, snapshot.active[1].isRateMeasured) = (101, false)
        #expect(TimeLeft(of: snapshot, orSize: nil)?.text == "~0:20")
        snapshot.active[1].isRateMeasured = true
        #expect(TimeLeft(of: snapshot, orSize: nil)?.text == "~16:40", "what the row says of itself")
        snapshot.active[1].isRateSteady = true
        #expect(TimeLeft(of: snapshot, orSize: nil)?.text == "16:40")
    }

    /// They are what lay ready, and were a rate of 14 minutes for what then took one.
    @Test func theFirstBytesTellNothingOfTheEnd() {
        var snapshot = PipelineSnapshot(time: Timestamp(nanoseconds: 0))
        (snapshot.active, snapshot.rate) = ([row(1, received: 100, rate: 10, isSteady: false)], 10)
        #expect(TimeLeft(of: snapshot, orSize: nil)?.text == "~1:30")
        snapshot.active[0].isRateMeasured = false
        #expect(snapshot.active[0].guessedSecondsLeft == nil)
        #expect(TimeLeft(of: snapshot, orSize: nil) == nil)
        snapshot.active.append(row(2, received: 0, rate: 50))
        snapshot.rate = 60
        #expect(TimeLeft(of: snapshot, orSize: nil)?.text == "~0:32", "most of it is in the other one")
        snapshot.active[1].received = 200
        #expect(TimeLeft(of: snapshot, orSize: nil) == nil, "and now is not")
        snapshot.active.removeFirst()
        #expect(TimeLeft(of: snapshot, orSize: nil)?.text == "0:16")
        snapshot.isRateMeasured = false
        #expect(TimeLeft(of: snapshot, orSize: nil) == nil, "nor do those of all")
    }

    /// A large one that is fast made the rate of all, by which many that are slow were done at once.
    @Test func aQueueHoldsTheSlotsAsLongAsUsual() {
        var snapshot = PipelineSnapshot(time: Timestamp(nanoseconds: 0))
        (snapshot.active, snapshot.rate, snapshot.queuedCount) = ([row(1, received: 0, rate: 1_000)], 1_000, 6)
        func text(_ time: Double?) -> String? { TimeLeft(of: snapshot, orSize: 10, eachFor: time)?.text }
        #expect(text(nil) == "~0:02")
        #expect(text(10) == "~0:16", "61 s in four slots")
        snapshot.settings.maxActive = 1
        #expect(text(10) == "~1:01")
        (snapshot.settings.maxActive, snapshot.queuedCount) = (4, 1)
        #expect(text(10) == "~0:10", "a slot that is free makes none shorter")
        snapshot.settings.suspended = true
        #expect(text(10) == "0:01")
    }

    @Test func theUsualTimeIsThatOfTheLastTransfers() {
        var bodies = BodySizes()
        func take(_ seconds: Int?, _ outcome: Outcome = .success) {
            var end = TaskEnd(task: TaskID(1), url: "http://h/1", outcome: outcome, receipts: 1)
            end.timings = seconds.map { TaskEnd.Timings(queued: .zero, transfer: TransferTimings(total: .seconds($0))) }
            bodies.take(end)
        }
        take(nil)
        #expect(bodies.usualTime == nil, "no transfer ended it")
        take(4)
        #expect(bodies.usualTime == 4)
        take(300)
        #expect(bodies.usualTime == 4, "one that is far larger is not usual")
        take(30, .failed)
        #expect(bodies.usualTime == 30)
        for _ in 0..<32 { take(1) }
        #expect(bodies.usualTime == 1)
    }

    /// Beside `≤ 10 KiB/s` stood 13 KiB/s, and a time that swung with it.
    @Test(arguments: [
        (13, true, 10, 100.0), (8, true, 8, 100.0), (5, true, 5, 200.0), (20, true, 20, 100.0), (20, false, 10, 100.0),
    ])
    func aLimitThatBindsIsThePace(rate: Int, isSteady: Bool, shown: Int, seconds: Double) {
        var row = row(1, received: 0, rate: rate, isSteady: isSteady)
        #expect(row.shownRate == rate && row.guessedSecondsLeft == 1_000 / Double(rate))
        row.rateLimit = 10
        #expect(row.shownRate == shown && row.guessedSecondsLeft == seconds)
    }

    /// No body of unknown size ends at the mean of those before it.
    @Test func whatIsLargerThanTheOthersWereMayTakeAnyTime() {
        var snapshot = PipelineSnapshot(time: Timestamp(nanoseconds: 0))
        (snapshot.active, snapshot.rate) = ([row(1, received: 500, rate: 100)], 100)
        snapshot.active[0].expected = nil
        #expect(TimeLeft(of: snapshot, orSize: 1_000)?.text == "~0:05")
        snapshot.active[0].received = 1_000
        #expect(TimeLeft(of: snapshot, orSize: 1_000) == nil)
        snapshot.queuedCount = 1
        #expect(TimeLeft(of: snapshot, orSize: 1_000)?.text == "~0:10")
    }

    /// What those that are done left in the measurement is no rate of the one that never answers.
    @Test func aRateThatOnlyFallsTellsOfNoEnd() {
        var snapshot = PipelineSnapshot(time: Scene.now)
        snapshot.active = [row(1, received: 0, rate: 0)]
        (snapshot.rate, snapshot.queuedCount, snapshot.active[0].expected) = (400, 1, nil)
        snapshot.active[0].silentSince = Scene.now + .seconds(-1)
        #expect(TimeLeft(of: snapshot, orSize: 1_000_000) == nil, "it shows as 0 KiB/s")
        snapshot.rate = 40_000
        #expect(TimeLeft(of: snapshot, orSize: 1_000_000)?.text == "~0:50", "what has begun just now has none yet")
        snapshot.active[0].silentSince = Scene.now + .seconds(-3)
        #expect(TimeLeft(of: snapshot, orSize: 1_000_000) == nil, "nothing came for three seconds")
        snapshot.active.append(row(2, received: 0, rate: 300))
        snapshot.active[1].silentSince = Scene.now
        #expect(TimeLeft(of: snapshot, orSize: 1_000_000) != nil, "one of them has bytes")
    }

    @Test func aSlowTransferHasItsEnd() {
        var snapshot = PipelineSnapshot(time: Scene.now)
        (snapshot.active, snapshot.rate) = ([row(1, received: 0, rate: 300)], 300)
        snapshot.active[0].silentSince = Scene.now
        #expect(TimeLeft(of: snapshot, orSize: nil)?.text == "0:04")
    }

    /// Of hours the seconds change with every frame, and nobody knows them.
    @Test(arguments: [
        (3_599, "59:59"), (3_600, "~1 h"), (7_717, "~2 h 10 m"), (7_844, "~2 h 10 m"), (14_100, "~4 h"),
    ])
    func hoursAreRound(seconds: Int, text: String) {
        var snapshot = PipelineSnapshot(time: Timestamp(nanoseconds: 0))
        (snapshot.active, snapshot.rate) = ([row(1, received: 0, rate: 1_000)], 1_000)
        snapshot.active[0].expected = seconds * 1_000
        #expect(TimeLeft(of: snapshot, orSize: nil)?.text == text)
    }

    /// The header tells of all as soon as there is a rate.
    @Test(arguments: [(4, "2.0 MiB/s ~0:04"), (1_200, "2.0 MiB/s  ~20m"), (9_000, "2.0 MiB/s   ~3h")])
    func aRowGuessesAsSoonAsTheHeaderDoes(seconds: Int, text: String) {
        var scene = Scene.full
        scene.snapshot.active.removeLast(3)
        (scene.snapshot.active[0].received, scene.snapshot.active[0].rate) = (0, 2_097_152)
        scene.snapshot.active[0].expected = seconds * 2_097_152
        scene.snapshot.active[0].isRateSteady = false
        var driver = Driver(scene, 120, 36)
        #expect(driver.text.contains(text), "\(driver.text)")
        scene.snapshot.rate = 0
        driver = Driver(scene, 120, 36)
        #expect(!driver.text.contains(text) && driver.text.contains("2.0 MiB/s     –"), "\(driver.text)")
    }

    @Test func aSuspendedQueueIsNotWaitedFor() throws {
        var snapshot = PipelineSnapshot(time: Timestamp(nanoseconds: 0))
        (snapshot.active, snapshot.rate) = ([row(1, received: 0, rate: 100)], 100)
        snapshot.queuedCount = 10
        #expect(try #require(TimeLeft(of: snapshot, orSize: 1_000)).text == "~1:50")
        snapshot.settings.suspended = true
        #expect(try #require(TimeLeft(of: snapshot, orSize: 1_000)).text == "0:10")
    }
}
