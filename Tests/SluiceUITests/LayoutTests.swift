import SluiceCore
import Testing

@testable import SluiceUI

struct LayoutTests {
    private func layout(_ width: Int, _ height: Int, _ change: (inout Layout.Wish) -> Void = { _ in }) -> Layout {
        var wish = Layout.Wish()
        change(&wish)
        return Layout(width: width, height: height, wish)
    }

    @Test func sizesHaveTheirForms() {
        let forms: [(Int, Int, Layout.Form)] = [
            (180, 44, .columns), (179, 44, .wide), (180, 43, .wide), (110, 30, .wide), (109, 30, .full),
            (80, 24, .full),
            (79, 24, .stacked), (80, 23, .stacked), (60, 16, .stacked), (59, 16, .small), (40, 8, .small),
            (39, 8, .line),
            (40, 3, .line), (0, 0, .line),
        ]
        for (width, height, form) in forms { #expect(layout(width, height).form == form, "\(width)×\(height)") }
    }

    @Test func threeColumnsShowEverything() {
        #expect(Set(layout(200, 50).panels.keys) == [.active, .queued, .cache, .events, .network, .detail])
        let rich = layout(200, 50) { $0.hasPreview = true }
        #expect(rich.panels[.preview]?.width == 48)
        #expect(rich.panels[.detail].map(\.bottom) == 48)
    }

    @Test func panelsFillTheBodyAndNeverOverlap() {
        for preset in Layout.Preset.allCases {
            for hasPreview in [false, true] {
                for (width, height) in [
                    (60, 16), (80, 24), (109, 29), (110, 30), (120, 36), (180, 44), (200, 50), (250, 70),
                ] {
                    let layout = layout(width, height) {
                        ($0.preset, $0.hasPreview, $0.hasBanner) = (preset, hasPreview, hasPreview)
                    }
                    let rows = height - 3 - (hasPreview ? 1 : 0)
                    let area = layout.panels.values.reduce(0) { $0 + $1.width * $1.height }
                    let line = layout.cacheRow == nil ? 0 : width
                    #expect(area + line == width * rows, "\(preset) at \(width)×\(height)")
                    #expect(layout.panels.values.allSatisfy { $0.height >= 3 && $0.width >= 20 })
                }
            }
        }
    }

    @Test func theCacheGrowsOnlyWhereThereArePurgesToTellOf() throws {
        let plain = layout(120, 36) { $0.hasPreview = true }
        let looked = layout(120, 36) { ($0.hasPreview, $0.focus) = (true, .cache) }
        #expect(looked.panels == plain.panels)
        let purged = layout(120, 36) { ($0.hasPreview, $0.focus, $0.hasPurges) = (true, .cache, true) }
        let (before, after) = (try #require(plain.panels[.cache]), try #require(purged.panels[.cache]))
        #expect(after.height > before.height)
    }

    @Test func theFinishedListTakesThePlaceOfTheQueue() {
        let queued = layout(120, 36).panels[.queued]
        let finished = layout(120, 36) { ($0.list, $0.focus) = (.finished, .finished) }
        #expect(queued != nil && finished.panels[.finished] == queued)
        #expect(finished.panels[.queued] == nil)
    }

    @Test(arguments: [(39, 1), (39, 2), (39, 3), (20, 60), (120, 3), (40, 6), (40, 7)])
    func thePromptHasARowUnderItWhereThereAreEnough(width: Int, height: Int) {
        let plain = layout(width, height)
        #expect(plain.hintRow == nil && plain.promptRow == (height < 2 ? nil : height - 1))
        let hasRow = height >= (plain.form == .small ? 7 : 3)
        let needy = layout(width, height) { $0.needsRowUnder = true }
        #expect(needy.hintRow == (hasRow ? height - 1 : nil))
        #expect(needy.promptRow == (hasRow ? height - 2 : plain.promptRow))
    }

    @Test(arguments: ["x", "X", "p"]) func aRowThatIsNotInSightIsNotTouched(key: String) {
        var driver = Driver(.full, 39, 6)
        #expect(driver.press(key) == [] && driver.text.contains("not in sight"), "\(driver.text)")
        driver = Driver(.full, 40, 8)
        _ = driver.press(key)
        #expect(!driver.text.contains("not in sight"))
    }

    @Test(arguments: [(39, 6), (40, 8), (60, 16), (79, 24), (80, 23)])
    func whereNoOtherPanelsFitThePresetStays(width: Int, height: Int) {
        var driver = Driver(.full, width, height)
        _ = driver.press("\\")
        let text = driver.text
        #expect(text.contains("other panels need 80×24"), "\(text)")
        _ = driver.run("preset tasks")
        #expect(driver.dashboard.state.preset == .all)
    }

    @Test func fromTheSizeThatIsNamedOnThePresetTurns() {
        var driver = Driver(.full, 80, 24)
        _ = driver.press("\\")
        #expect(driver.dashboard.state.preset == .tasks)
    }

    /// Where one line has all of it, the next one says what a key did.
    @Test func aScreenOfOneLineAnswersKeys() {
        var scene = Scene.full
        scene.snapshot.pausedCount = 3
        var driver = Driver(scene, 39, 6)
        _ = driver.press("Z")
        #expect(driver.text.contains("queue suspended"), "\(driver.text)")
        #expect(driver.text.contains("‖3") && driver.text.contains("q\(scene.snapshot.queuedCount)‖"), "\(driver.text)")
        _ = driver.press("?")
        #expect(driver.text.contains("the help needs 40×8"), "\(driver.text)")
        #expect(driver.dashboard.state.mode == .lists, "keys still steer")
    }

    @Test(arguments: [(4, false), (5, false), (6, true), (8, true)]) func theHelpHasRows(height: Int, opens: Bool) {
        var driver = Driver(.full, 40, height)
        _ = driver.press("?")
        #expect((driver.dashboard.state.mode != .lists) == opens)
        let says = driver.text.contains("needs 40×8")
        #expect(says != opens, "\(driver.text)")
    }

    /// What opens unseen would stand there once the window grows.
    @Test(arguments: [Key.enter, .character("i"), .character("I")]) func whatASingleLineCantShowIsNotOpened(key: Key) {
        var driver = Driver(.full, 39, 6)
        _ = driver.press(keys: [key])
        #expect(driver.text.contains("not in sight"), "\(driver.text)")
        #expect(driver.dashboard.state.focus == .active && driver.dashboard.state.pictures.gallery == nil)
    }

    @Test(arguments: [(60, 24), (79, 24), (79, 60), (80, 23), (120, 23)])
    func aStackHasNoEvents(width: Int, height: Int) {
        let stack = layout(width, height)
        #expect(Set(stack.panels.keys) == [.active, .queued] && stack.cacheRow != nil)
        let rows = stack.panels.values.reduce(0) { $0 + $1.height }
        #expect(rows == height - 4, "all between header, cache, prompt and hints is theirs")
    }
}
