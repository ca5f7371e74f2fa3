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

    private func shows(_ text: String, _ driver: inout Driver) -> Bool { driver.text.contains(text) }

    @Test(arguments: [(80, 24), (120, 36)]) func aRowWithoutAPictureOpensNoOther(width: Int, height: Int) {
        var driver = Driver(.full, width, height)
        _ = driver.press("8j")
        #expect(!shows("i full", &driver), "there is nothing to open")

        _ = driver.press("i")

        #expect(driver.dashboard.state.focus == .finished && !driver.dashboard.state.isMaximised)
        #expect(driver.text.contains("no picture of old-map.png"), "\(driver.text)")
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
        #expect(shows("· queued", &driver), "and not the picture of another task")
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
        for hint in ["⏎ full", "z zoom", "] [ next"] { #expect(!shows(hint, &driver), "\(hint)") }
        #expect(shows("Esc back", &driver))
    }

    @Test func aTileOffersWhatItOpens() {
        var driver = Driver(.full, 120, 36)
        _ = driver.press("I")
        #expect(shows("⏎ detail", &driver) && !shows("⏎ full", &driver), "a task that runs")
        #expect(shows("i image", &driver) && !shows("i detail", &driver), "as far as it has come")
        _ = driver.press("G")
        #expect(shows("⏎ full", &driver) && !shows("⏎ detail", &driver), "an image")

        var empty = Driver(.empty, 120, 36)
        _ = empty.press("I")
        #expect(!shows("⏎ full", &empty) && !shows("⏎ detail", &empty), "there is no tile")
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
        #expect(shows("I gallery", &driver))
        _ = driver.press("I")
        #expect(!shows("I gallery", &driver) && shows("Esc back", &driver))
    }

    @Test func whatIsNotThereYetIsNotZoomed() {
        var driver = Driver(.empty, 120, 36)
        _ = driver.send(finished(1))
        _ = driver.press("iz")
        #expect(driver.dashboard.state.pictures.zoom == .fit && shows("there is no picture to zoom", &driver))
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
        #expect(!shows("z zoom", &driver), "nothing has arrived yet")

        for ask in 1...3 { _ = driver.send(.picture(ask: ask, .picture(FakePicture.picture(ask)))) }

        for hint in ["Esc back", "z zoom", "] [ next"] { #expect(shows(hint, &driver), "\(hint)") }
        #expect(!shows("⏎ full", &driver), "it would lead back")
    }
}
