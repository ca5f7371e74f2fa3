import SluiceCore
import Testing

@testable import SluiceUI

/// A key for a picture opens the picture of its row or none, and keys that would do nothing are not offered.
struct PictureHintTests {
    private func finished(_ task: Int) -> AppEvent {
        var end = TaskEnd(task: TaskID(task), url: "http://a/\(task).png", outcome: .success, receipts: 1)
        (end.bytes, end.file) = (9_000, "/home/u/Pictures/\(task).png")
        end.image = ImageInfo(format: .png, width: 64, height: 48)
        return .events([PipelineEvent(seq: task + 900, t: .seconds(61), kind: .taskFinished(end))], lost: 0)
    }

    @Test(arguments: [(80, 24), (120, 36)]) func aRowWithoutAPictureOpensNoOther(width: Int, height: Int) {
        var driver = Driver(.full, width, height)
        _ = driver.press("8j")
        #expect(!driver.text.contains("i full"), "there is nothing to open")

        _ = driver.press("i")

        #expect(driver.dashboard.state.focus == .finished && !driver.dashboard.state.isMaximised)
        #expect(driver.text.contains("no picture of old-map.png"), "\(driver.text)")
    }

    @Test func noImageIsOfferedWhereThereIsNone() {
        var driver = Driver(.full, 240, 50)
        _ = driver.press("8")
        #expect(driver.hints.contains("i image"), "\(driver.hints)")
        _ = driver.press("j")
        #expect(!driver.hints.contains("i image") && driver.hints.contains("I gallery"), "\(driver.hints)")
        _ = driver.press(keys: [.enter])
        #expect(driver.dashboard.state.focus == .detail)
        #expect(!driver.hints.contains("i image") && driver.hints.contains("I gallery"), "\(driver.hints)")
    }

    @Test func aFailedTaskOpensNoOtherPictureFromItsDetail() {
        var driver = Driver(.full, 120, 36)
        _ = driver.press("8j")
        _ = driver.press(keys: [.enter])
        _ = driver.press("i")
        #expect(driver.dashboard.state.focus == .detail)
        #expect(driver.text.contains("no picture of old-map.png"), "\(driver.text)")
    }

    @Test func aQueuedTaskShowsThatItIsQueued() {
        var driver = Driver(.full, 120, 36)
        _ = driver.press("2i")
        #expect(driver.dashboard.state.pictures.subject?.name == "orion-nebula-hubble.tif")
        #expect(driver.text.contains("· queued"), "and not the picture of another task")
    }

    @Test func whatIsChosenAndFailsShowsNoOtherPicture() {
        var driver = Driver(.full, 120, 36)
        _ = driver.press("1i")
        #expect(driver.dashboard.state.pictures.subject?.name == "dunes-4096.jpg")
        var snapshot = Scene.full.snapshot
        snapshot.active.removeFirst()
        _ = driver.send(.snapshot(snapshot))
        #expect(driver.dashboard.state.pictures.subject?.name == "dunes-4096.jpg")
        #expect(driver.text.contains("no picture of it"), "\(driver.text)")
    }

    @Test func whereThereIsNoImageNothingIsOfferedForOne() {
        var driver = Driver(.empty, 120, 36)
        _ = driver.press("i")
        for hint in ["⏎ full", "z zoom", "] [ next"] { #expect(!driver.text.contains(hint), "\(hint)") }
        #expect(driver.text.contains("Esc back"))
    }

    @Test func aTileOffersWhatItOpens() {
        var driver = Driver(.full, 120, 36)
        _ = driver.press("I")
        #expect(driver.text.contains("⏎ detail") && !driver.text.contains("⏎ full"), "a task that runs")
        #expect(driver.text.contains("i image") && !driver.text.contains("i detail"), "as far as it has come")
        _ = driver.press("G")
        #expect(driver.text.contains("⏎ full") && !driver.text.contains("⏎ detail"), "an image")

        var empty = Driver(.empty, 120, 36)
        _ = empty.press("I")
        #expect(!empty.text.contains("⏎ full") && !empty.text.contains("⏎ detail"), "there is no tile")
    }

    @Test func tilesAreWalkedWithLettersToo() {
        var driver = Driver(.full, 120, 36)
        _ = driver.press("Il")
        #expect(driver.dashboard.state.galleryIndex == 1)
        _ = driver.press("h")
        #expect(driver.dashboard.state.galleryIndex == 0)
    }

    /// The first tile is that of a task that runs.
    @Test func whatIsRefusedHoldsNoTile() {
        var driver = Driver(.full, 120, 36)
        _ = driver.press("I")
        for key in ["o", "y", "c"] {
            #expect(driver.press(key) == [], "\(key)")
            #expect(driver.dashboard.state.message != nil, "\(key) is refused")
            #expect(driver.dashboard.state.pictures.gallery?.selected == nil, "\(key)")
        }
        #expect(driver.press("Y").count == 1)
        let selected = driver.dashboard.state.pictures.gallery?.selected
        #expect(selected != nil && selected == driver.dashboard.state.activeRows.first?.url)
    }

    @Test func theGalleryIsNotOfferedInside() {
        var driver = Driver(.empty, 120, 36)
        #expect(driver.text.contains("I gallery"))
        _ = driver.press("I")
        #expect(!driver.text.contains("I gallery") && driver.text.contains("Esc back"))
    }

    @Test func whatIsNotThereYetIsNotZoomed() {
        var driver = Driver(.empty, 120, 36)
        _ = driver.send(finished(1))
        _ = driver.press("iz")
        #expect(driver.dashboard.state.pictures.zoom == .fit && driver.text.contains("there is no picture to zoom"))
        for ask in 1...3 { _ = driver.send(.picture(ask: ask, .picture(FakePicture.picture(ask)))) }
        _ = driver.press("z")
        #expect(driver.dashboard.state.pictures.zoom.factor == 2)
    }

    @Test(arguments: [(60, 15), (60, 16)]) func theNameOfATileHasTheRoomThereIs(width: Int, height: Int) {
        var driver = Driver(.empty, width, height)
        var end = TaskEnd(task: TaskID(1), url: "http://a/1.png", outcome: .success, receipts: 1)
        (end.bytes, end.file) = (9_000, "/home/u/Pictures/last-summer-strawberry.png")
        end.image = ImageInfo(format: .png, width: 64, height: 48)
        _ = driver.send(.events([PipelineEvent(seq: 901, t: .seconds(61), kind: .taskFinished(end))], lost: 0))
        _ = driver.press("I")
        let edge = driver.text.split(separator: "\n").first { $0.contains("1 of 1 ─╯") } ?? ""
        #expect(edge.hasPrefix("╰─ last-summer-strawberry.png · png 64×48 ─"), "\(driver.text)")
    }

    @Test func aPictureAtFullSizeOffersWhatItsKeysDo() {
        var driver = Driver(.empty, 120, 36)
        for task in 1...2 { _ = driver.send(finished(task)) }
        _ = driver.press("i")
        #expect(!driver.text.contains("z zoom"), "nothing has arrived yet")

        for ask in 1...3 { _ = driver.send(.picture(ask: ask, .picture(FakePicture.picture(ask)))) }

        for hint in ["Esc back", "z zoom", "] [ next"] { #expect(driver.text.contains(hint), "\(hint)") }
        #expect(!driver.text.contains("⏎ full"), "it would lead back")
    }
}
