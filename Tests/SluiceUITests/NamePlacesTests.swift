import SluiceCore
import Testing

@testable import SluiceUI

/// What tells rows apart that have the same name.
struct NamePlacesTests {
    private static func whole(_ urls: [String], hostColumns: Int? = nil) -> [String] {
        let places = NamePlaces(urls.map { ("x.jpg", $0) }, hostColumns: hostColumns)
        return urls.indices.map { places.whole("x.jpg", at: $0) }
    }

    @Test(arguments: [
        (["h/a/1/x.jpg", "h/a/2/x.jpg"], ["x.jpg 1/", "x.jpg 2/"]),
        (["h/x.jpg", "h/a/x.jpg"], ["x.jpg /", "x.jpg a/"]),
        (["h/2024/img/x.jpg", "h/2025/img/x.jpg"], ["x.jpg 2024/…/", "x.jpg 2025/…/"]),
        (["h/a/1/x.jpg", "h/a/2/x.jpg", "h/b/1/x.jpg"], ["x.jpg a/1/", "x.jpg a/2/", "x.jpg b/1/"]),
        (["h1/a/x.jpg", "h2/a/x.jpg"], ["x.jpg h1/…/", "x.jpg h2/…/"]),
        (["h/x.jpg?id=1", "h/x.jpg?id=2#top"], ["x.jpg ?id=1", "x.jpg ?id=2"]),
        (["h/1/x.jpg?a", "h/1/x.jpg?b", "h/2/x.jpg"], ["x.jpg 1/?a", "x.jpg 1/?b", "x.jpg 2/"]),
        (["h/1/x.jpg", "h/1/x.jpg"], ["x.jpg", "x.jpg"]), (["h/1/x.jpg"], ["x.jpg"]),
        (["h/\u{1B}[2J/x.jpg", "h/b/x.jpg"], ["x.jpg ^[[2J/", "x.jpg b/"]),
        // Folders, which are all called the same.
        (["h/a/", "h/b/", "h/b/index"], ["x.jpg a/", "x.jpg b/", "x.jpg b/"]),
        (["h/", "h/a/"], ["x.jpg /", "x.jpg a/"]),
        (["h/%E7%AC%AC%E4%B8%80/x.jpg", "h/%FF/x.jpg"], ["x.jpg 第一/", "x.jpg %FF/"]),
        // What differs is in sight, however long the rest.
        (["h/chapter-01-draft/x.jpg", "h/chapter-02-draft/x.jpg"], ["x.jpg …01…", "x.jpg …02…"]),
        (
            ["h/x.jpg?size=large&id=1&format=jpeg", "h/x.jpg?size=large&id=27&format=jpeg"],
            ["x.jpg …id=1…", "x.jpg …id=27…"]
        ),
    ])
    func asMuchAsDiffersIsShown(urls: [String], shown: [String]) {
        #expect(Self.whole(urls.map { "https://" + $0 }) == shown)
    }

    @Test func aColumnOfHostsTellsHostsApart() {
        let urls = ["https://h1/a/x.jpg", "https://h2/a/x.jpg", "https://h2/b/x.jpg"]
        #expect(Self.whole(urls, hostColumns: 19) == ["x.jpg", "x.jpg a/", "x.jpg b/"])
        let long = ["https://images-01.cdn.example.com/x.jpg", "https://images-02.cdn.example.com/x.jpg"]
        #expect(Self.whole(long, hostColumns: 40) == ["x.jpg", "x.jpg"])
        #expect(Self.whole(long, hostColumns: 19) == ["x.jpg …01…", "x.jpg …02…"], "the column shows them alike")
    }

    @Test func equalPlacesAreNotShown() {
        #expect(Self.whole(["http://h/x.jpg", "https://h/x.jpg"]) == ["x.jpg http:", "x.jpg https:"])
        #expect(Self.whole(["data:a/b?1,x.jpg", "data:a/b?2,x.jpg"]) == ["x.jpg", "x.jpg"])
    }

    @Test func otherNamesAndVeryLongURLsStayAsTheyAre() {
        let long = "https://h/" + String(repeating: "a", count: 3_000) + "/x.jpg"
        #expect(Self.whole([long, "https://h/b/x.jpg"]) == ["x.jpg", "x.jpg"])
        let places = NamePlaces([("a", "https://h/1/a"), ("b", "https://h/2/b"), ("", "")], hostColumns: nil)
        #expect(places.whole("a", at: 0) == "a" && places.whole("b", at: 1) == "b")
    }

    /// An equal name says less than what differs; eight columns of it stay.
    @Test(arguments: [
        (40, "a-very-long-name.jpg some-folder/"), (27, "a-ver…name.jpg some-folder/"), (20, "a-very-… some-…lder/"),
        (15, "a-very-… som…r/"), (13, "a-ve…name.jpg"),
    ])
    func theNameGivesWayFirst(room: Int, shown: String) {
        let name = "a-very-long-name.jpg"
        let rows = ["some-folder", "other"].map { (name: name, url: "https://h/\($0)/\(name)") }
        let text = NamePlaces(rows, hostColumns: nil).text(name, at: 0, room: room, StyledText.plain)
        #expect(text.width <= room)
        #expect(text.spans.map(\.text).joined() == shown)
    }

    private static func url(_ number: Int) -> String { "https://h.example/a/\(number)/index.html" }

    /// Rows of the same name in the list that a key leads to, and in no other one.
    private static func scene(_ key: String) -> Scene {
        var scene = Scene.full
        switch key {
        case "1":
            for index in 0..<2 {
                scene.snapshot.active[index].name = "index.html"
                (scene.snapshot.active[index].url, scene.snapshot.active[index].host) = (url(index + 1), "h.example")
            }
        case "2":
            scene.snapshot.queued = (1...5).map { number in
                var row = Scene.row(100 + number, "index.html", "h.example")
                (row.url, row.state) = (url(number), .queued(position: number))
                return row
            }
            scene.snapshot.queuedCount = 5
        default:
            let error = DownloadError(.connectionLost, "the server hung up")
            for number in 1...2 { scene.failed(55, url(number), error, task: 200 + number) }
        }
        return scene
    }

    @Test(arguments: ["1", "2", "8", "9"]) func rowsOfEveryListAreToldApart(key: String) {
        for (width, height) in [(80, 24), (120, 36), (200, 50)] {
            var driver = Driver(Self.scene(key), width, height)
            _ = driver.press(key)
            let rows = driver.text.split(separator: "\n", omittingEmptySubsequences: false)
            for number in key == "2" ? 1...5 : 1...2 {
                #expect(
                    rows.contains { $0.contains("index.ht") && $0.contains(" \(number)/ ") },
                    "\(number): \(driver.text)"
                )
            }
        }
    }
}
