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

    @Test func aSlowStartOfOneDoesNotPutOffTheEndOfAll() throws {
        var snapshot = PipelineSnapshot(time: Timestamp(nanoseconds: 0))
        snapshot.active = [row(1, received: 0, rate: 100), row(2, received: 0, rate: 1, isSteady: false)]
        snapshot.rate = 101
        #expect(try #require(TimeLeft(of: snapshot, orSize: nil)).seconds == 20)
        snapshot.active[1].isRateSteady = true
        #expect(try #require(TimeLeft(of: snapshot, orSize: nil)).seconds == 1_000)
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
