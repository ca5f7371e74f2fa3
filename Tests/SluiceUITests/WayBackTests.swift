import SluiceCore
import Testing

@testable import SluiceUI

/// How one goes into a panel, and out of it again.
struct WayBackTests {
    @Test(arguments: [[Key.character("i")], [.character("I")], [.character("5")]])
    func aPictureOfTheDetailLeadsBackToIt(keys: [Key]) {
        var driver = Driver(.full, 120, 36)
        _ = driver.press(keys: [.enter] + keys)
        #expect(driver.dashboard.state.focus == .preview)
        _ = driver.press(keys: [.escape])
        #expect(driver.dashboard.state.focus == .detail)
        #expect(driver.dashboard.state.detail.task == TaskID(1))
        _ = driver.press(keys: [.escape])
        #expect(driver.dashboard.state.focus == .active)
        _ = driver.press(keys: [.character("j"), .enter])
        #expect(driver.dashboard.state.detail.task == TaskID(2))
    }

    /// The full scene with three images behind its live tasks, at the gallery that a key opened somewhere.
    private func gallery(from keys: String) -> Driver {
        var scene = Scene.full
        for number in 1...3 {
            let url = "https://img.example/frame-\(number).png"
            var end = TaskEnd(task: TaskID(90 + number), url: url, outcome: .success, receipts: 1)
            end.image = ImageInfo(format: .png, width: 40, height: 20)
            scene.add(54 + Double(number), .taskFinished(end))
        }
        var driver = Driver(scene, 120, 36)
        _ = driver.press(keys + "I")
        return driver
    }

    @Test(arguments: [[Key.escape], [.enter], [.character("i")]])
    func aPictureOfTheGalleryLeadsBackToItsTile(keys: [Key]) {
        var driver = gallery(from: "2")
        let count = driver.dashboard.state.galleryCount
        _ = driver.press(keys: [.end])
        _ = driver.press(keys: [.left, .left, .enter])
        let chosen = driver.dashboard.state.pictures.chosen
        #expect(driver.dashboard.state.pictures.gallery == nil && chosen != nil)
        _ = driver.press(keys: keys)
        #expect(driver.dashboard.state.pictures.gallery?.selected == chosen)
        #expect(driver.dashboard.state.focus == .preview && driver.dashboard.state.isMaximised)
        #expect(driver.text.contains("5 gallery") && driver.text.contains("\(count - 2) of \(count)"), "\(driver.text)")
        _ = driver.press(keys: [.escape])
        #expect(driver.dashboard.state.focus == .queued && !driver.dashboard.state.isMaximised)
        _ = driver.press(keys: [.character("i"), .escape])
        #expect(driver.dashboard.state.focus == .queued && driver.dashboard.state.pictures.gallery == nil)
    }

    @Test func whoTurnedToAnotherPictureComesBackToThatOne() {
        var driver = gallery(from: "")
        _ = driver.press(keys: [.end])
        let last = driver.dashboard.state.galleryIndex
        _ = driver.press(keys: [.enter, .character("["), .escape])
        #expect(driver.dashboard.state.galleryIndex == last - 1)
    }

    @Test func aPartIsMadeWholeBeforeItIsLeft() {
        var driver = gallery(from: "")
        _ = driver.press(keys: [.end, .enter])
        for ask in 1...20 { _ = driver.send(.picture(ask: ask, .picture(FakePicture.picture(ask)))) }
        _ = driver.press("zz")
        #expect(driver.dashboard.state.pictures.zoom.factor == 4)
        _ = driver.press(keys: [.escape])
        #expect(driver.dashboard.state.pictures.zoom == .fit && driver.dashboard.state.pictures.gallery == nil)
        _ = driver.press(keys: [.escape])
        #expect(driver.dashboard.state.pictures.gallery != nil)
        _ = driver.press(keys: [.enter, .character("I")])
        #expect(driver.dashboard.state.pictures.gallery != nil, "a gallery over the picture, with its tile")
        _ = driver.press(keys: [.escape])
        #expect(driver.dashboard.state.focus == .active && driver.dashboard.state.pictures.gallery == nil)
    }

    @Test func aGalleryThatWasLeftForAnotherPanelDoesNotComeBack() {
        var driver = gallery(from: "")
        _ = driver.press(keys: [.end, .enter, .character("2"), .character("i"), .escape])
        #expect(driver.dashboard.state.focus == .queued && driver.dashboard.state.pictures.gallery == nil)
    }

    /// Tile, detail, picture: each is left for what it was opened from, and nothing twice.
    @Test func everyStepIsGoneBackOnce() {
        var driver = gallery(from: "2")
        _ = driver.press(keys: [.enter])
        #expect(driver.dashboard.state.focus == .detail)
        _ = driver.press("i")
        #expect(driver.dashboard.state.focus == .preview)
        var places: [Panel] = []
        for _ in 1...4 {
            _ = driver.press(keys: [.escape])
            places.append(driver.dashboard.state.focus)
        }
        #expect(places == [.detail, .preview, .queued, .queued])
    }

    @Test func theDetailOfAPictureOfTheGalleryLeadsBackToThePicture() {
        var driver = gallery(from: "2")
        _ = driver.press(keys: [.end, .left, .enter])
        let chosen = driver.dashboard.state.pictures.chosen
        #expect(chosen == "https://img.example/frame-1.png")
        _ = driver.press("7")
        #expect(driver.dashboard.state.focus == .detail)
        #expect(driver.dashboard.state.detail.task == TaskID(91), "the task of the picture, and of no row")
        _ = driver.press(keys: [.escape])
        #expect(driver.dashboard.state.focus == .preview && driver.dashboard.state.isMaximised)
        #expect(driver.dashboard.state.pictures.gallery == nil && driver.dashboard.state.pictures.chosen == chosen)
        _ = driver.press(keys: [.escape])
        #expect(driver.dashboard.state.pictures.gallery?.selected == chosen)
        _ = driver.press(keys: [.escape])
        #expect(driver.dashboard.state.focus == .queued && !driver.dashboard.state.isMaximised)
    }

    @Test func aPictureAndItsDetailAreNotOpenedFromEachOtherForEver() {
        var driver = Driver(.full, 120, 36)
        _ = driver.press(keys: [.enter, .character("i"), .character("7")])
        #expect(driver.dashboard.state.focus == .detail)
        _ = driver.press(keys: [.escape])
        #expect(driver.dashboard.state.focus == .active, "what the detail was opened from")
    }

    /// On a wide screen the detail has a place of its own, and follows the rows until somebody opens one.
    @Test func aDetailThatNobodyOpenedIsNoWayBack() {
        var driver = Driver(.full, 260, 70)
        _ = driver.press(keys: [.character("2"), .enter, .escape, .backTab])
        while driver.dashboard.state.focus != .detail { _ = driver.press(keys: [.tab]) }
        #expect(driver.dashboard.state.detail.task == nil)
        _ = driver.press("57")
        #expect(driver.dashboard.state.focus == .detail && driver.dashboard.state.detail.task != nil)
        var places: [Panel] = []
        for _ in 1...4 {
            _ = driver.press(keys: [.escape])
            places.append(driver.dashboard.state.focus)
        }
        #expect(places == [.preview, .detail, .active, .active])
    }

    @Test func whoGoesElsewhereFromAPictureLooksAtOtherTasks() {
        var driver = Driver(.full, 120, 36)
        _ = driver.press(keys: [.enter, .character("i"), .character("1"), .character("j"), .enter])
        #expect(driver.dashboard.state.detail.task == TaskID(2))
        _ = driver.press(keys: [.escape, .character("5"), .escape])
        #expect(driver.dashboard.state.focus == .active, "a detail that was left long ago does not come back")
    }

    @Test(arguments: [[Key.enter], [.character("i")], [.character("I")], [.character("2"), .character("2")]])
    func theWayBackIsTheFirstHint(keys: [Key]) {
        var driver = Driver(.full, 80, 24)
        #expect(!driver.hints.contains("back"))
        _ = driver.press(keys: keys)
        #expect(driver.hints.hasPrefix(" Esc back"), "\(driver.hints)")
        _ = driver.press(keys: [.escape])
        #expect(!driver.hints.contains("back"))
    }

    @Test func anEventWithoutATaskOpensNoOther() {
        var scene = Scene.full
        scene.purge(58, freed: 1_000_000, victims: 2)
        var driver = Driver(scene, 120, 36)
        _ = driver.press(keys: [.character("4"), .enter])
        #expect(driver.dashboard.state.focus == .events)
        #expect(driver.text.contains("this event has no task"))
        #expect(!driver.hints.contains("detail"))
    }

    @Test func enterShowsAllEntriesOfTheCache() {
        var driver = Driver(.full, 120, 36)
        _ = driver.press("3")
        #expect(driver.hints.contains("⏎ entries"), "\(driver.hints)")
        _ = driver.press(keys: [.enter])
        #expect(driver.dashboard.state.isMaximised && driver.dashboard.state.focus == .cache)
        #expect(driver.hints.contains("⏎ back") && !driver.hints.contains("entries"), "\(driver.hints)")
        _ = driver.press(keys: [.enter])
        #expect(!driver.dashboard.state.isMaximised)
        #expect(driver.text.contains("3 cache"), "the panel is called by its digit")
    }

    @Test func whereNothingRunsTheQueueLeadsToWhatEndedLast() {
        var scene = Scene.empty
        scene.failed(55, "http://a/1", DownloadError(.timedOut, ""), task: 501)
        var driver = Driver(scene, 120, 36)
        _ = driver.press(keys: [.character("2"), .enter])
        #expect(driver.dashboard.state.focus == .detail && driver.dashboard.state.inspectedTask == TaskID(501))
    }

    @Test func withoutUnicodeAKeyIsNamedInLetters() {
        var driver = Driver(Scene.full.dashboard(120, 36, ascii: true), 120, 36)
        _ = driver.press(keys: [.character("6"), .enter])
        #expect(driver.text.contains("Enter is for active, queued, "), "\(driver.text)")
    }

    @Test func anExplanationIsForThePanelsItHoldsIn() {
        var driver = Driver(.full, 120, 36)
        _ = driver.press(keys: [.character("6"), .enter])
        #expect(driver.text.contains("⏎ is for active, queued, cache, events, preview, finished and failed only"))
    }
}
