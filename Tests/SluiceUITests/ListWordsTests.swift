import SluiceCore
import Testing

@testable import SluiceUI

/// What lists say of their rows, and which rows they leave out.
struct ListWordsTests {
    @Test func aFailureThatMayBeRememberedHasNoTimeThatCouldBeWrong() {
        var scene = Scene.full
        scene.failed(55, "https://tiles.example/tile_9.png", DownloadError(.connectionLost, "hung up"), task: 78)
        // None of them is among the newest, which are all that a snapshot holds.
        scene.snapshot.failedCount = 201
        var driver = Driver(scene, 120, 36)
        _ = driver.press("99")
        let rows = driver.text.split(separator: "\n").map(String.init)
        #expect(rows.contains { $0.contains("what happened") && $0.contains(" kept for │") }, "\(rows)")
        #expect(rows.contains { $0.contains("old-map.png") && $0.contains(" – │") }, "\(rows)")
        #expect(rows.contains { $0.contains("tile_9.png") && $0.contains(" not kept │") }, "it never is: \(rows)")
    }

    /// Lists and pastes pass over those alone.
    @Test func theTitleSaysHowManyFailuresAreRemembered() {
        var scene = Scene.full
        scene.failed(55, "https://tiles.example/tile_9.png", DownloadError(.connectionLost, "hung up"), task: 78)
        for (count, words) in [
            (0, "2 · none is remembered ─╮"), (1, "2 · 1 remembered for 10 minutes ─╮"),
            (2, "2 · remembered for 10 minutes ─╮"),
        ] {
            scene.snapshot.failedCount = count
            var driver = Driver(scene, 120, 36)
            _ = driver.press("9")
            #expect(driver.text.contains(words), "\(driver.text)")
        }
    }

    private static let answers: [(String, String?, Bool)] = [
        ("clip.mp4", "video/mp4", false), ("photo.jpg", "text/html; charset=utf-8", true),
        ("photo", "text/html; charset=utf-8", false),
        ("data.bin", "application/octet-stream", false), ("photo.jpg", "application/octet-stream", true),
        ("photo", "binary/octet-stream", true), ("data.bin", nil, true), ("data.bin", "Image/PNG", true),
    ]

    @Test(arguments: answers)
    func theGalleryLeavesOutWhatIsKnownToBeNoImage(name: String, type: String?, isShown: Bool) {
        var snapshot = Scene.empty.snapshot
        var row = Scene.row(1, name, "a.example", received: 204_800, of: 614_400)
        row.contentType = type
        snapshot.active = [row]
        var driver = Driver(.empty, 120, 36)
        _ = driver.send(.snapshot(snapshot))
        _ = driver.press("I")
        #expect(driver.text.contains(isShown ? "1 of 1" : "0 of 0"), "\(driver.text)")
        #expect(driver.text.contains("no image yet") == !isShown, "\(driver.text)")
    }

    @Test(arguments: [(0, " – │"), (512, " 0 KiB/s │")])
    func aMemberOfTheNetworksSetHasNoRateBeforeItsFirstByte(received: Int, text: String) {
        var snapshot = Scene.empty.snapshot
        snapshot.active = [Scene.row(1, "new.bin", "a.example", received: received, of: 614_400)]
        (snapshot.indicator.state, snapshot.indicator.tasks) = (.delayingStart, 1)
        var driver = Driver(.empty, 80, 24)
        _ = driver.send(.snapshot(snapshot))
        _ = driver.press("66")
        let rows = driver.text.split(separator: "\n").filter { $0.contains("new.bin") }
        #expect(rows.contains { $0.contains(text) }, "\(driver.text)")
    }

    @Test func theCacheNamesImagesAsOtherListsDo() {
        var scene = Scene.full
        let key = CacheKey(key: "https://img.example/saturn%20rings.jpg")
        scene.snapshot.largest = [
            CachedImageRow(key: key, cost: 4_000_000, width: 1_000, height: 1_000, accessed: Scene.now)
        ]
        var driver = Driver(scene, 120, 36)
        _ = driver.press("33")
        #expect(driver.text.contains("saturn rings.jpg"), "\(driver.text)")
    }
}
