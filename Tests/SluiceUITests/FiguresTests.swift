import SluiceCore
import Testing

@testable import SluiceUI

/// Figures in the header and in the edges of panels: what they count, and in which unit.
struct FiguresTests {
    private static func loaded(_ task: Int, _ bytes: Int, from source: AnswerSource = .network) -> PipelineEvent {
        var end = TaskEnd(task: TaskID(task), url: "https://a.example/\(task)", outcome: .success, receipts: 1)
        (end.bytes, end.source) = (bytes, source)
        return PipelineEvent(seq: 500 + task, t: .seconds(30), kind: .taskFinished(end))
    }

    /// Two that run, of 1,000,000 bytes each, and three behind them; 100,000 bytes a second.
    private static func busy(received: Int, expected: Int? = 1_000_000) -> PipelineSnapshot {
        var snapshot = PipelineSnapshot(time: Scene.now)
        snapshot.active = (1...2).map { Scene.row($0, "\($0).png", "a.example", received: received, of: expected) }
        (snapshot.rate, snapshot.queuedCount) = (100_000, 3)
        (snapshot.counts.succeeded, snapshot.received) = (2, 1_000_000 + 2 * received)
        return snapshot
    }

    @Test func whatHasNoAnswerYetIsToldBesideTheConnections() {
        var snapshot = Self.busy(received: 10)
        snapshot.connections = ["1.1": 1]
        snapshot.active[0].httpVersion = "1.1"
        var driver = Driver(.empty, 120, 36)
        _ = driver.send(.snapshot(snapshot))
        _ = driver.press("66")
        #expect(driver.text.contains("2 transfers · 1 connection: h1.1 · 1 unanswered"), "\(driver.text)")
        snapshot.active[1].httpVersion = "1.1"
        _ = driver.send(.snapshot(snapshot))
        #expect(!driver.text.contains("unanswered"))
    }

    private func eta(_ snapshot: PipelineSnapshot, _ events: [PipelineEvent] = []) -> String? {
        var driver = Driver(.empty, 80, 24)
        _ = driver.send(.events(events, lost: 0))
        _ = driver.send(.snapshot(snapshot))
        return HeaderView.eta(driver.dashboard.state)
    }

    @Test func theTimeLeftFallsWhileBytesArrive() {
        let finished = [Self.loaded(90, 400_000), Self.loaded(91, 600_000)]
        let times = [0, 250_000, 500_000, 1_000_000].map { eta(Self.busy(received: $0), finished) }
        #expect(times == ["~0:35", "~0:30", "~0:25", "~0:15"], "5 s for each queued one, and the rest")
    }

    @Test func theTimeLeftIsThatOfTheQueueAtLeast() {
        var end = TaskEnd(task: TaskID(90), url: "https://a.example/90", outcome: .success, receipts: 1)
        end.timings = TaskEnd.Timings(queued: .zero, transfer: TransferTimings(total: .seconds(60)))
        end.bytes = 500_000
        let finished = [PipelineEvent(seq: 590, t: .seconds(30), kind: .taskFinished(end))]
        #expect(eta(Self.busy(received: 500_000), finished) == "~1:00", "not the 25 s of its bytes")
    }

    @Test func theTimeLeftIsThatOfTheSlowestRowAtLeast() {
        var snapshot = Self.busy(received: 500_000)
        snapshot.queuedCount = 0
        (snapshot.active[0].rate, snapshot.active[1].rate) = (95_000, 5_000)
        #expect(eta(snapshot) == "1:40", "500,000 bytes at 5,000 a second")
        snapshot.active[1].rate = 0
        #expect(eta(snapshot) == "0:10", "a row without a rate has no time of its own")
    }

    @Test func aRateOfNothingStandsBesideNoTime() {
        var snapshot = Self.busy(received: 0)
        snapshot.rate = 300
        func header() -> String {
            var driver = Driver(.empty, 120, 36)
            _ = driver.send(.snapshot(snapshot))
            return driver.text.split(separator: "\n").first.map(String.init) ?? ""
        }
        #expect(header().contains("↓ 0 KiB/s") && !header().contains("eta "), "\(header())")
        snapshot.active[0].rate = 300
        #expect(header().contains("↓ <1 KiB/s") && header().contains("eta ~4 h 40 m"), "\(header())")
        snapshot.settings.limitRate = 51_200
        #expect(header().contains("↓ 0.3 of 50 KiB/s"), "\(header())")
        (snapshot.rate, snapshot.active[0].rate) = (30, 30)
        #expect(header().contains("↓ <1 of 50 KiB/s"), "\(header())")
    }

    /// Wherever a rate stands; of a measurement that runs out without a byte, all say the same.
    @Test(arguments: [(0, "0"), (300, "<1")])
    func aSlowTransferIsNotShownAsNone(rate: Int, figure: String) {
        var snapshot = Self.busy(received: 500_000)
        (snapshot.rate, snapshot.active[0].rate) = (300, rate)
        for (keys, part) in [("", "↓ \(figure) KiB/s"), ("66", "2 transfers · \(figure) KiB/s")] {
            var driver = Driver(.empty, 120, 36)
            _ = driver.send(.snapshot(snapshot))
            _ = driver.press(keys)
            #expect(driver.text.contains(part), "\(driver.text)")
        }
        var driver = Driver(.empty, 120, 36)
        _ = driver.send(.snapshot(snapshot))
        _ = driver.press("1")
        let rows = driver.text.split(separator: "\n").filter { $0.contains(" 1.png ") }
        #expect(rows.contains { $0.contains(" \(figure) KiB/s ") }, "\(driver.text)")
        #expect(ProgressLine(snapshot, columns: 80).facts.contains { $0.text == "\(figure) KiB/s" })
    }

    @Test func onlyWholeBodiesOfTheNetworkTellTheSizeOfOthers() {
        let events = [Self.loaded(90, 500_000), Self.loaded(91, 90_000_000, from: .disk)]
        #expect(eta(Self.busy(received: 500_000), events) == "~0:25")
        #expect(eta(Self.busy(received: 200_000, expected: nil), events) == "~0:21", "of unknown size, so of the mean")
        #expect(eta(Self.busy(received: 900_000, expected: nil), events) == "~0:15", "larger than the mean: nothing")
    }

    @Test func announcedSizesTellTheSizeOfOthersUntilABodyIsThere() {
        #expect(eta(Self.busy(received: 500_000)) == "~0:40")
        #expect(eta(Self.busy(received: 500_000, expected: nil)) == nil)
        var alone = Self.busy(received: 500_000)
        alone.queuedCount = 0
        #expect(eta(alone) == "0:10", "nothing is guessed")
    }

    @Test(arguments: [
        (51_200, 50_176, "↓ 49 of 50 KiB/s"), (51_200, 0, "↓ 0 of 50 KiB/s"), (2_097_152, 524_288, "↓ 0.5 of 2 MiB/s"),
        (1_572_864, 1_048_576, "↓ 1 of 1.5 MiB/s"), (0, 50_176, "↓ 49 KiB/s"),
        (2_097_152, 20_480, "↓ 20 KiB/s of 2 MiB/s"),
    ])
    func aLimitStandsBesideTheRate(limit: Int, rate: Int, text: String) {
        var snapshot = Self.busy(received: 500_000)
        snapshot.indicator.state = .active
        (snapshot.settings.limitRate, snapshot.rate) = (limit, rate)
        var driver = Driver(.empty, 80, 24)
        _ = driver.send(.snapshot(snapshot))
        #expect(driver.text.contains(text), "\(driver.text)")
    }

    @Test func aLimitGoesBeforeTheRateWhereThereIsNoRoom() {
        var scene = Scene.full
        scene.snapshot.settings.limitRate = 15_728_640
        for (width, text) in [(80, "↓ 11.0 MiB/s  38 queued"), (120, "↓ 11 of 15 MiB/s ")] {
            var driver = Driver(scene, width, 36)
            #expect(driver.text.contains(text), "\(driver.text)")
        }
    }

    @Test func aLimitIsToldAlsoWhereNothingRuns() {
        var driver = Driver(.empty, 80, 24)
        var snapshot = Scene.empty.snapshot
        snapshot.settings.limitRate = 51_200
        _ = driver.send(.snapshot(snapshot))
        #expect(driver.text.contains("limit 50 KiB/s"))
    }

    @Test func receiptsAreCountedWhereTheyStand() {
        var driver = Driver(.full, 200, 50)
        #expect(driver.text.contains("38 queued, 106 receipts"))
        #expect(driver.text.contains("12 receipts · 1 of 5"), "×3, ×1, ×2, ×1 and ×5")
        var scene = Scene.full
        scene.snapshot.waitingCount = 900
        driver = Driver(scene, 200, 50)
        #expect(driver.text.contains("38 queued "), "the receipts of rows that are not seen are not known")
    }

    @Test(arguments: [(32_768, "32 KiB of 100 MiB"), (52_428_800, "· 50.0 of 100 MiB"), (0, "· 0 B of 100 MiB")])
    func theGalleryNamesTheUnitOfEachFigure(usage: Int, text: String) {
        var driver = Driver(.empty, 120, 36)
        var snapshot = Scene.empty.snapshot
        (snapshot.memory.usage, snapshot.memory.count) = (usage, 2)
        _ = driver.send(.snapshot(snapshot))
        _ = driver.press("I")
        #expect(driver.text.contains(text))
    }

    /// Two images in a memory cache of that capacity.
    private func cached(capacity: Int, preferred: Int, _ width: Int, _ height: Int) -> Driver {
        var driver = Driver(.empty, width, height)
        var snapshot = Scene.empty.snapshot
        (snapshot.memory.usage, snapshot.memory.count) = (480_000, 2)
        (snapshot.memory.capacity, snapshot.memory.preferred) = (capacity, preferred)
        _ = driver.send(.snapshot(snapshot))
        return driver
    }

    @Test(arguments: [(60, 16), (80, 24), (120, 36), (200, 50)])
    func aCacheWithoutALimitHasNoGauge(width: Int, height: Int) {
        for keys in ["", "33", "I"] {
            var driver = cached(capacity: 0, preferred: 62_914_560, width, height)
            _ = driver.press(keys)
            let text = driver.text
            #expect(text.contains("469 KiB · no limit"), "\(text)")
            for part in ["of 0 B", " 0 %", "▴"] { #expect(!text.contains(part), "\(part) in \(text)") }
        }
    }

    @Test(arguments: [(104_857_600, 62_914_560, "60"), (25_000_000, 15_000_000, "14.3")])
    func theRuleOfTheCacheIsReadToItsEnd(capacity: Int, preferred: Int, left: String) {
        for width in [80, 90, 100, 109] {
            for height in [30, 36, 50] {
                var driver = cached(capacity: capacity, preferred: preferred, width, height)
                let text = driver.text
                guard text.contains("Above ") else {
                    Issue.record("no rule at \(width)×\(height): \(text)")
                    return
                }
                #expect(text.contains("until \(left) are left at most."), "\(text)")
            }
        }
    }

    @Test func theWhyOfAPurgeNamesEachUnitWhereTheyDiffer() {
        var scene = Scene.empty
        let change = CacheChange(
            verb: .added,
            key: CacheKey(key: "https://a.example/x.png"),
            cost: 204_800,
            usage: 524_288,
            capacity: 1_048_576,
            count: 1,
            why: .fitsCapacity
        )
        scene.add(40, .cacheChanged(change))
        let purge = CachePurge(
            trigger: .capacity,
            before: 1_153_434,
            needed: 524_288,
            freed: 629_146,
            preferred: 629_146,
            victims: []
        )
        scene.add(40, .cachePurged(purge))
        var driver = Driver(scene, 120, 36)
        _ = driver.press("33")
        #expect(driver.text.contains("x.png (200 KiB) made 1.1 MiB "), "\(driver.text)")
        #expect(driver.text.contains("of 1 MiB, so 512 KiB had to go, oldest:"))
    }

    /// Where there is no room for those that went, nobody announces them.
    @Test(arguments: [(180, 43), (120, 36), (200, 50), (80, 24), (100, 30)])
    func whatAPurgeAnnouncesStandsBelow(width: Int, height: Int) {
        var scene = Scene.full
        scene.purge(54, freed: 44_040_192, victims: 5)
        var driver = Driver(scene, width, height)
        var announced = 0
        for _ in 0..<4 {
            let lines = driver.text.split(separator: "\n")
            for (index, line) in lines.enumerated() where line.contains("had to go, oldest:") {
                announced += 1
                #expect(lines[index + 1].contains("idle "), "\(driver.text)")
            }
            _ = driver.press("\\")
        }
        #expect(announced > 0 || width < 200)
    }

    @Test(arguments: [(120, "22.9 MiB  used 12:41:02"), (200, "22.9 MiB  used 12:41 ")])
    func anImageInMemoryTellsWhenItWasUsedLast(width: Int, text: String) {
        var driver = Driver(.full, width, 50)
        if width == 120 { _ = driver.press("33") }
        let row = driver.text.split(separator: "\n").first { $0.contains("iss069e0030.png") } ?? ""
        #expect(row.contains(text), "\(driver.text)")
        driver.pass(.seconds(100))
        #expect(driver.text.contains(text), "it stays true while nothing is drawn")
    }
}
