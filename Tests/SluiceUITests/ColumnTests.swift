import SluiceCore
import Testing

@testable import SluiceUI

/// The columns of the lists of what ended: names take what they need, what happened has the rest.
struct ColumnTests {
    private static let message = "no answer from maps.example within 30 s"

    private static let scene: Scene = {
        var scene = Scene.full
        scene.failed(58, "https://maps.example/new-map.png", DownloadError(.cannotConnect, message), task: 78)
        return scene
    }()

    /// A folder says less of where a request came from than the line.
    @Test(arguments: [
        (Int.max, "/tmp/lists/odd2.txt:12"), (22, "/tmp/lists/odd2.txt:12"), (21, "…/lists/odd2.txt:12"),
        (18, "odd2.txt:12"), (11, "odd2.txt:12"), (10, "odd2.t…:12"),
    ])
    func ofAListItsNameAndTheLineComeFirst(columns: Int, text: String) {
        let source = DownloadRequest.Source.list(name: "/tmp/lists/odd2.txt", line: 12)
        #expect(DetailView.source(source, columns: columns) == text)
    }

    @Test func theQueueTellsTheLineAndTheDetailTheWholePath() {
        var scene = Scene.full
        scene.snapshot.active[0].source = .list(name: "/tmp/lists/of/images/odd2.txt", line: 12)
        scene.snapshot.queued[0].source = scene.snapshot.active[0].source
        var narrow = Driver(scene, 120, 36)
        #expect(narrow.text.contains("first asked by …/images/odd2.txt:12 at"), "\(narrow.text)")
        var driver = Driver(scene, 200, 50)
        #expect(driver.text.contains("first asked by /tmp/lists/of/images/odd2.txt:12 at"), "\(driver.text)")
        _ = driver.press("22")
        #expect(driver.text.contains(" odd2.txt:12 "), "\(driver.text)")
    }

    @Test(arguments: ["88", "99"]) func shortNamesLeaveTheirRoomToTheReason(keys: String) {
        var driver = Driver(Self.scene, 120, 36)
        _ = driver.press(keys)
        let row = driver.text.split(separator: "\n").first { $0.contains("new-map.png") } ?? ""
        #expect(row.contains(Self.message), "\(driver.text)")
    }

    @Test(arguments: ["88", "99"]) func aLongNameTakesNoMoreThanItsShare(keys: String) {
        var scene = Self.scene
        let name = String(repeating: "very-long-", count: 20) + "name.png"
        scene.failed(59, "https://maps.example/\(name)", DownloadError(.badStatus, "410 Gone", status: 410), task: 79)
        var driver = Driver(scene, 120, 36)
        _ = driver.press(keys)
        let row = driver.text.split(separator: "\n").first { $0.contains("✗ very-long-") } ?? ""
        #expect(row.contains("…") && row.contains("-long-name.png "), "\(driver.text)")
        #expect(row.contains("maps.example") && row.contains("410 Gone"), "\(driver.text)")
    }

    @Test func whereNoColumnIsForItTheReasonStandsInThatOfTheSize() {
        var driver = Driver(Self.scene, 80, 24)
        _ = driver.press("8")
        let rows = driver.text.split(separator: "\n").filter { $0.contains("│ ✗ ") || $0.contains("│▌✗ ") }
        #expect(rows.contains { $0.contains("new-map.png") && $0.contains(" cannotConnect  ") }, "\(driver.text)")
        #expect(rows.contains { $0.contains("old-map.png") && $0.contains(" 404  ") }, "\(driver.text)")
    }
}
