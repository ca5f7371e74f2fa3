import SluiceCore
import Testing

@testable import SluiceUI

/// Rows of the lists of what happened, and keys that mean nothing on a row.
struct RowTests {
    private static func failed(_ message: String) -> Scene {
        var scene = Scene.full
        scene.failed(58, "https://maps.example/new-map.png", DownloadError(.cannotConnect, message), task: 78)
        return scene
    }

    @Test func whatHappenedHasTheRoomThatNamesLeave() {
        let message = "no answer from maps.example port 443 within 30 s, and none from its other address either"
        var driver = Driver(Self.failed(message), 200, 50)
        _ = driver.press("88")
        #expect(driver.text.contains(message))
        driver = Driver(Self.failed(message), 120, 36)
        _ = driver.press("88")
        #expect(driver.text.contains("no answer") && !driver.text.contains(message))
    }

    @Test func aWarningNamesTheFileOfItsTask() {
        var scene = Scene.full
        scene.failed(58, "https://maps.example/new-map.png", DownloadError(.cannotConnect, "refused"), task: 27)
        scene.add(59, .warning(code: .name, message: "looks like a page", task: TaskID(27)))
        scene.add(59.1, .warning(code: .name, message: "looks like nothing", task: TaskID(99)))
        var driver = Driver(scene, 120, 36)
        let rows = driver.text.split(separator: "\n").map(String.init)
        #expect(
            rows.contains { $0.contains("warned     new-map.png  ") && $0.contains("looks like a page") },
            "\(rows)"
        )
        #expect(rows.contains { $0.contains("warned     task 99 ") })
    }

    @Test(arguments: [40, 60, 120]) func everyVerbIsApartFromTheName(width: Int) {
        var scene = Scene.full
        var end = TaskEnd(task: TaskID(27), url: "https://maps.example/new-map.png", outcome: .cancelled, receipts: 1)
        end.bytes = 9
        scene.add(59, .taskFinished(end))
        var driver = Driver(scene, width, 24)
        _ = driver.press("44")
        #expect(driver.text.contains(width < 60 ? "⊘ cancelled new-map.png" : "⊘ cancelled  new-map.png"))
    }

    @Test func keysForFilesAreOfferedWhereThereIsOne() {
        var driver = Driver(Self.failed("refused"), 200, 50)
        let words = [" open", " copy", " delete file"]
        _ = driver.press(keys: [.enter])
        #expect(words.allSatisfy { !driver.hints.contains($0) }, "what runs has no file yet: \(driver.hints)")
        _ = driver.press(keys: [.escape, .character("8"), .enter])
        #expect(words.allSatisfy { !driver.hints.contains($0) }, "what failed has none: \(driver.hints)")
        #expect(driver.hints.contains(" retry"))
        _ = driver.press(keys: [.escape])
        #expect(words.allSatisfy { !driver.hints.contains($0) })
        _ = driver.press("j")
        #expect(words.allSatisfy { driver.hints.contains($0) }, "what was saved has one: \(driver.hints)")
        _ = driver.press(keys: [.enter])
        #expect(words.allSatisfy { driver.hints.contains($0) })
    }

    @Test func sortingIsOfferedWhereThereIsMoreThanOneOrder() {
        var driver = Driver(.full, 200, 50)
        #expect(driver.text.contains("s S sort"))
        _ = driver.press("2")
        #expect(!driver.text.contains(" sort"), "the queue stands in its order")
    }

    @Test(arguments: [
        ("y", "y is for events, preview, detail and finished only"),
        ("o", "o is for events, preview, detail and finished only"),
        ("D", "D is for events, detail and finished only"), ("z", "z is for the preview only"),
        ("]", "] is for preview and detail only"),
        ("r", "this task has not failed, and waits for no other attempt"),
        ("U", "U is for the queue only"), ("J", "J is for the queue only"),
        ("w", "w is no key: ? shows the keys"), ("F5", "F5 is no key: ? shows the keys"),
        ("^E", "^E is no key: ? shows the keys"), ("l", "l is for the preview only"),
        ("h", "h is for preview and detail only"),
    ])
    func aKeyThatMeansNothingHereSaysWhere(key: String, text: String) throws {
        var driver = Driver(.full, 120, 36)
        let pressed = try #require(Key(name: key))
        #expect(driver.press(keys: [pressed]) == [])
        #expect(driver.text.contains(text))
    }

    /// The detail of a row of another panel would be taken for one of this.
    @Test func besideRunningTasksAnEmptyQueueHasNoDetail() {
        var scene = Scene.full
        (scene.snapshot.queued, scene.snapshot.queuedCount) = ([], 0)
        var driver = Driver(scene, 120, 36)
        _ = driver.press("2")
        #expect(driver.dashboard.state.focus == .queued && !driver.text.contains("detail"), "\(driver.text)")
        _ = driver.press(keys: [.enter])
        #expect(driver.dashboard.state.focus == .queued)
        #expect(driver.text.contains("no task to look at yet"), "\(driver.text)")
    }

    @Test func beforeTheFirstByteNoPlaceHasARate() {
        var row = Scene.row(5, "x.png", "a.example", of: 1_000)
        func isShown(_ text: String) -> Bool {
            (PreviewView.row(row, now: Scene.now) + [GalleryView.listNote(.row(row), width: 40)])
                .contains { $0.spans.map(\.text).joined().contains(text) }
        }
        #expect(isShown("–") && !isShown("/s"))
        row.received = 1
        #expect(isShown("0 KiB/s") && !isShown("–"))
    }
}
