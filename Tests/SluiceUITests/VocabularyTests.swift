import SluiceCore
import Testing

@testable import SluiceUI

/// One word for one thing, wherever the screen says it.
struct VocabularyTests {
    /// What is measured is a rate; what it may be is its limit.
    @Test func whatARateMayBeIsCalledALimit() {
        var words: [String] = []
        for binding in KeyMap.standardBindings {
            words += [binding.name, binding.hint, binding.help].compactMap(\.self)
        }
        for command in CommandTable.all { words += [command.name, command.help ?? ""] }
        #expect(!words.contains { $0.lowercased().contains("throttle") }, "\(words)")
        #expect(words.filter { $0.contains("limit") }.count >= 8)
        #expect(!CommandTable.all.contains { $0.name == "rate" })
        #expect(KeyMap.standard.help(.queue).contains { $0 == ("t", "limit the rate of all") })
    }

    @Test func aConfigurationThatCallsItAsBeforeStaysGood() throws {
        let keys = try KeyMap([KeyChange(action: "throttle", keys: ["f5"], line: 1)])
        #expect(keys.action(for: .function(5), in: .lists, focus: .active) == .limitRate)
        #expect(keys.action(for: .character("t"), in: .lists, focus: .active) == nil)
    }

    /// Tasks that ended well are done; what the cache answered at once is counted by itself, since it is requests.
    @Test(arguments: [(120, 36), (200, 50)]) func doneMeansTheSameEverywhere(width: Int, height: Int) throws {
        var scene = Scene.empty
        (scene.snapshot.counts.requests, scene.snapshot.counts.tasks) = (8, 5)
        (scene.snapshot.counts.succeeded, scene.snapshot.counts.cached) = (5, 3)
        var driver = Driver(scene, width, height)
        let rows = driver.text.split(separator: "\n")
        let header = try #require(rows.first)
        #expect(header.contains("5 done") && header.contains("◆ 3 from the cache") == (width == 200), "\(header)")
        #expect(driver.text.contains("Nothing runs: 5 done, 3 from the cache, 0 failed."), "\(driver.text)")
        #expect(driver.text.contains("5 done · 3 from the cache"), "the foot of the events: \(driver.text)")
        _ = driver.press("8")
        #expect(driver.text.contains("5 done ─"), "\(driver.text)")
        #expect(!driver.text.contains("8 done"))
        var plain = PlainDashboard(Scene.configuration())
        _ = plain.handle(.snapshot(scene.snapshot), now: Scene.now)
        let status = plain.typed("status", now: Scene.now).lines
        #expect(status.contains { $0.hasSuffix("5 done, 3 from the cache, 0 failed.") }, "\(status)")
        let end = LeaveSummary.lines(snapshot: scene.snapshot, failed: [], directory: nil)
        #expect(end.first?.hasPrefix("5 tasks done") == true, "\(end)")
    }

    /// Bytes of what runs and what failed are no size of what is done.
    @Test(arguments: [(120, 36), (200, 50)]) func bytesAreCalledReceived(width: Int, height: Int) {
        var scene = Scene.empty
        scene.snapshot.received = 55
        var driver = Driver(scene, width, height)
        #expect(driver.text.contains(" 55 B received ─"), "\(driver.text)")
        (scene.snapshot.counts.succeeded, scene.snapshot.counts.cached) = (5, 3)
        driver = Driver(scene, width, height)
        #expect(driver.text.contains(" 5 done · 3 from the cache · 55 B received ─"), "\(driver.text)")
        let header = driver.text.split(separator: "\n").first ?? ""
        #expect(header.contains("5 done   ") && !header.contains("done, "), "\(header)")
        #expect(header.contains("   55 B received") == (width == 200), "\(header)")
    }
}
