import SluiceCore
import Testing

@testable import SluiceUI

/// Nothing in the detail of a task is cut that could not be scrolled to.
struct WholeDetailTests {
    private static let policy =
        "default-src 'self'; " + (1...60).map { "img-\($0).site.example" }.joined(separator: " ") + " LASTWORD"

    @Test(arguments: [(60, 16), (80, 24), (120, 36), (200, 50)])
    func longHeadersAreWrapped(width: Int, height: Int) {
        let scene = Self.answered(HeaderField("Content-Security-Policy", Self.policy))
        var driver = Driver(scene, width, height)
        _ = driver.press(keys: [.enter, .character("h")])
        var seen = Self.words(&driver)
        for _ in 0..<20 {
            _ = driver.press(keys: [.pageDown])
            seen.formUnion(Self.words(&driver))
        }
        for word in Self.policy.split(separator: " ").map(String.init) { #expect(seen.contains(word), "\(word)") }
    }

    /// Boxes would cut it; one page scrolls.
    @Test(arguments: [(60, 16), (80, 24), (120, 36), (200, 50)])
    func longURLsAndErrorsAreToldToTheirEnd(width: Int, height: Int) throws {
        let url = "https://a.example/" + String(repeating: "x", count: 2_400) + "/end.png"
        let message = "no route: " + (1...300).map { "hop\($0)" }.joined(separator: " ")
        var scene = Scene.empty
        scene.failed(50, url, DownloadError(.cannotConnect, message), task: 77)
        var driver = Driver(scene, width, height)
        _ = driver.press(keys: [.character("8"), .enter])
        var rows: [String] = []
        var seen: Set<String> = []
        for _ in 0..<40 {
            for row in driver.text.split(separator: "\n").map({ $0.filter { $0 != "│" && $0 != " " } }) {
                if seen.insert(row).inserted { rows.append(row) }
            }
            _ = driver.press(keys: [.pageDown])
        }
        // Wherever its lines end.
        #expect(rows.joined().contains("xxx/end.png"), "the end of the URL")
        #expect(rows.contains { $0.contains("hop150") } && rows.contains { $0.contains("hop300") })
        #expect(rows.contains { $0.hasPrefix("whattodo") })
    }

    /// Labels of more columns than there are stand above what they label, and that goes on below itself.
    @Test func nothingIsCutOnANarrowScreen() {
        var scene = Scene.failing
        let refusal = DownloadError(.badStatus, "404 Not Found", status: 404)
        scene.failed(55, "https://maps.example/x.png", refusal, task: 400)
        var driver = Driver(scene, 40, 60)
        _ = driver.press(keys: [.character("8"), .enter])
        let rows = driver.text.split(separator: "\n").filter { $0.hasPrefix("│") }
        for label in ["what to do", "answered by", "HTTP cache", "memory now"] {
            #expect(rows.contains { $0.hasPrefix("│ \(label) ") }, "\(label): \(driver.text)")
        }
        let words = Self.words(&driver)
        #expect(words.contains("nothing") && words.contains("asked"), "\(driver.text)")
    }

    @Test func brokenTextKeepsItsInk() {
        let lines = (StyledText.dim("ab  cd ") + .plain("efghi")).lines(columns: 6)
        #expect(lines.map { $0.spans.map(\.text) } == [["ab  cd"], ["efghi"]])
        #expect(lines.map { $0.spans.first?.ink } == [Ink(.dim), Ink(.fg)])
        #expect(StyledText().lines(columns: 1).count == 1, "an empty line is one")
    }

    @Test(
        arguments: [
            ([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0], "image/png", "4.0 KiB of image/png"),
            ([0x1F, 0x8B, 0xFF, 0xFE, 0x61], "text/html", "4.0 KiB of text that is not UTF-8"),
            (
                [0xC4, 0xEE, 0xF1, 0xF2, 0xF3, 0xEF], "text/html; Charset=\"Windows-1251\"",
                "4.0 KiB of text in windows-1251"
            ),
            ([0xC4, 0xEE, 0xF1, 0xF2, 0xF3, 0xEF], "text/html; charset=utf-8", "4.0 KiB of text that is not UTF-8"),
            ([0x1F, 0x8B, 0xFF, 0xFE, 0x61], "", "4.0 KiB that is no text"),
            // Text in an old encoding.
            (Array("not f".utf8) + [0xFC] + Array("r you".utf8), "text/plain", "r you"),
        ] as [([UInt8], String, String)]
    )
    func aBodyThatIsNoTextIsNotPrinted(bytes: [UInt8], type: String, words: String) {
        let url = "https://maps.example/x.png"
        var head = ResponseHead(status: 404, finalURL: url)
        (head.contentType, head.expected) = (type, 4_096)
        let body = String(decoding: bytes, as: UTF8.self)
        var scene = Scene.empty
        scene.add(53, .taskChanged(TaskDetailTests.start(of: 77, url: url)))
        scene.add(54, .taskResponse(TaskID(77), head, source: .network))
        scene.failed(55, url, DownloadError(.badStatus, "404", status: 404, body: body), task: 77)
        var driver = Driver(scene, 120, 36)
        _ = driver.press(keys: [.character("8"), .enter])
        let rows = driver.text.split(separator: "\n").map(String.init)
        let place = rows.firstIndex { $0.contains("refused with this body") }
        #expect(place.map { rows[$0 + 1].contains(words) } == true, "\(driver.text)")
    }

    /// No line lies between one page and the next.
    @Test(arguments: [(40, 9), (60, 16), (80, 24)])
    func aPageIsAsLongAsWhatIsSeen(width: Int, height: Int) {
        let scene = Self.answered(HeaderField("Content-Security-Policy", Self.policy + Self.policy))
        var driver = Driver(scene, width, height)
        _ = driver.press(keys: [.enter, .character("h"), .character("g"), .character("g")])
        let rows = TaskDetailView.rows(driver.dashboard.state)
        #expect(rows > 1)
        _ = driver.press(keys: [.pageDown])
        #expect(driver.dashboard.state.detail.offset == rows)
        _ = driver.press(keys: [.control("u")])
        #expect(driver.dashboard.state.detail.offset == rows - rows / 2)
    }

    @Test func aLongNameStandsAboveItsValue() {
        let scene = Self.answered(HeaderField("X-Very-Long-Name-Of-A-Header-That-Nobody-Knows", "its value"))
        var driver = Driver(scene, 120, 36)
        _ = driver.press(keys: [.enter, .character("h")])
        #expect(driver.text.contains("│ x-very-long-name-of-a-header-that-nobody"), "\(driver.text)")
        #expect(driver.text.contains("│   its value  "))
        #expect(driver.text.contains("etag          \"5f3a-61\""), "the others stand beside their names")
    }

    @Test func theKeyForAllHeadersSaysWhyItChangesNothing() {
        var scene = Scene.full
        scene.failed(55, "https://maps.example/x.png", DownloadError(.connectionLost, "gone"), task: 400)
        var driver = Driver(scene, 120, 36)
        _ = driver.press(keys: [.character("8"), .enter])
        #expect(!driver.hints.contains("h headers"), "\(driver.hints)")
        _ = driver.press("h")
        #expect(driver.text.contains("there was no answer, so there are no headers"), "\(driver.text)")
        #expect(!driver.dashboard.state.detail.showsAllHeaders)

        _ = driver.press(keys: [.character("1"), .enter, .character("h")])
        #expect(driver.text.contains("the server has not answered yet"))
        #expect(driver.dashboard.state.detail.showsAllHeaders, "they will be, once it has")
    }

    @Test func whereEveryHeaderIsNotableThereAreNoOthers() {
        var scene = Scene.full
        let row = scene.snapshot.active[0]
        var head = ResponseHead(status: 200, finalURL: row.url)
        head.fields = [HeaderField("Content-Type", "image/jpeg")]
        var facts = TaskFacts(row, key: row.url, claims: [], policy: .protocol)
        facts.head = head
        scene.snapshot.inspected = facts
        var driver = Driver(scene, 120, 36)
        _ = driver.press(keys: [.enter, .character("h")])
        #expect(driver.text.contains("all its headers are shown"), "\(driver.text)")
        #expect(!driver.dashboard.state.detail.showsAllHeaders)
    }

    @Test func aBoxThatScrollsSaysSo() {
        let scene = Self.answered(HeaderField("Link", Self.policy))
        var driver = Driver(scene, 120, 36)
        _ = driver.press(keys: [.enter, .character("h")])
        #expect(driver.text.contains("PgDn more · 1–"), "\(driver.text)")
    }

    @Test func blanksInsideALineStayAsTheyAre() {
        #expect(TextWrap.lines("a  b   c", columns: 20) == ["a  b   c"])
        #expect(TextWrap.lines("  a  b   c ", columns: 5) == ["a  b", "c"])
        #expect(TextWrap.lines("abcdefgh ij", columns: 3) == ["abc", "def", "gh", "ij"])
        #expect(TextWrap.lines("abcdefgh ij", columns: 3, limit: 2) == ["abc", "de…"])
        #expect(TextWrap.lines("   ", columns: 5) == [])
    }

    /// Who only glances at it can't scroll, and needs the rest of it more than the end of a URL.
    @Test func besideTheListsLongTextsTakeOneLine() {
        let scene = Self.answered(HeaderField("ETag", Self.policy))
        var driver = Driver(scene, 200, 50)
        #expect(driver.text.contains("7 detail") && driver.text.contains("https://img.na…hi/dunes-4096.jpg"))
        #expect(!driver.text.contains("img-9.site.example"))
        _ = driver.press(keys: [.enter])
        #expect(driver.text.contains("https://img.nasa.example/hi/dunes-4096.jpg"))
    }

    /// The inspected task, whose answer has one more field.
    private static func answered(_ field: HeaderField) -> Scene {
        var scene = TaskDetailTests.inspected
        scene.snapshot.inspected?.head?.fields.append(field)
        // What events told of the answer goes before it.
        scene.events.removeAll { if case .taskResponse(TaskID(1), _, _) = $0.kind { true } else { false } }
        return scene
    }

    private static func words(_ driver: inout Driver) -> Set<String> {
        Set(driver.text.split { " │\n".contains($0) }.map(String.init))
    }

    /// Of a task with very many receipts the first are listed, and all are counted.
    @Test func theReceiptsOfAPopularTaskAreCounted() {
        var scene = TaskDetailTests.inspected
        scene.snapshot.active[0].receipts = 12_345
        let text = TaskDetailTests.text(scene, 120, 36)
        #expect(text.contains("×12k on one task · 3 listed"), "\(text)")
        #expect(text.contains("1 of 12,345") || text.contains("1 of 12k") || text.contains("1 of 12 345"), "\(text)")
    }

    /// They stand at the end of a page that may be long.
    @Test(arguments: [(80, 24), (200, 50), (60, 16)]) func headersThatAreAskedForAreInSight(width: Int, height: Int) {
        var driver = Driver(TaskDetailTests.inspected, width, height)
        _ = driver.press("1")
        _ = driver.press(keys: [.enter])
        _ = driver.press("h")
        #expect(driver.dashboard.state.detail.showsAllHeaders)
        #expect(driver.text.contains("x-note"), "\(driver.text)")
        _ = driver.press("h")
        #expect(!driver.text.contains("x-note") && driver.text.contains("1 more"), "\(driver.text)")
    }

    /// Where all of its text is in sight, pages go through its receipts.
    @Test func pagesOfAPopularTaskAreThoseOfItsReceipts() {
        var driver = Driver(TaskDetailTests.inspected, 120, 36)
        _ = driver.press("1")
        _ = driver.press(keys: [.enter])
        #expect(driver.dashboard.state.inspectedClaims.count == 3)
        #expect(TaskDetailView.lastOffset(driver.dashboard.state) == 0, "\(driver.text)")
        _ = driver.press(keys: [.pageDown])
        #expect(driver.dashboard.state.detail.receipt == 2)
        _ = driver.press(keys: [.pageUp])
        #expect(driver.dashboard.state.detail.receipt == 0)
        _ = driver.press(keys: [.control("d")])
        #expect(driver.dashboard.state.detail.receipt == 2)
    }

    /// That it failed is newer than why it was tried.
    @Test func whyATaskFailedIsToldFirst() throws {
        var scene = Scene.empty
        let url = "https://maps.example/x.png"
        var change = TaskChange(phase: .started, task: TaskID(77), url: url, attempt: 1, active: 1, queued: 0)
        change.reason = .slotFree(active: 1, limit: 4)
        scene.add(50, .taskChanged(change))
        let error = DownloadError(.connectionLost, "the server hung up")
        change.phase = .waiting
        change.reason = .retryAfter(error, next: 2, of: 2, serverAsked: false)
        scene.add(51, .taskChanged(change))
        (change.phase, change.reason) = (.resumed, .retryTimeCame)
        scene.add(53, .taskChanged(change))
        scene.failed(55, url, error, task: 77)
        var driver = Driver(scene, 120, 36)
        _ = driver.press(keys: [.character("8"), .enter])
        let lines = driver.text.split(separator: "\n")
        let index = try #require(lines.firstIndex { $0.contains(" why ") })
        #expect(lines[index].contains("failed after 2 attempts  "), "the error stands above: \(driver.text)")
        #expect(lines[index + 1].contains("its time to retry came"), "\(driver.text)")
    }

    @Test func aWaitThatIsOverIsToldOnceAndInThePast() {
        var scene = Scene.empty
        let url = "https://maps.example/x.png"
        let why = Why.slotsTaken(active: 8, limit: 8, ahead: 2)
        var submission = Submission(url: url, outcome: .queued, why: why, origin: .prompt)
        (submission.task, submission.receipt) = (TaskID(77), ReceiptID(5))
        scene.add(50, .requestSubmitted(submission))
        let change = TaskChange(phase: .started, task: TaskID(77), url: url, attempt: 1, active: 8, queued: 0)
        scene.add(51.5, .taskChanged(change))
        scene.add(55, .taskFinished(TaskEnd(task: TaskID(77), url: url, outcome: .success, receipts: 1)))
        var driver = Driver(scene, 120, 36)
        _ = driver.press(keys: [.character("8"), .enter])
        let text = driver.text
        #expect(text.ranges(of: "waited 1.5 s behind 2 others").count == 1, "\(text)")
        #expect(!text.contains("queued behind"), "\(text)")
    }

    @Test func anErrorIsToldOnce() {
        var scene = Scene.empty
        let error = DownloadError(.connectionLost, "the server hung up")
        scene.failed(55, "https://maps.example/x.png", error, task: 77)
        var driver = Driver(scene, 120, 36)
        _ = driver.press(keys: [.character("8"), .enter])
        #expect(driver.text.ranges(of: "the server hung up").count == 1, "\(driver.text)")
    }

    /// Of a task that runs, why it was queued is told with the time at which that was so.
    @Test func whyATaskWaitedIsOfThePastOnceItRuns() {
        var scene = TaskDetailTests.inspected
        scene.snapshot.active[0].reason = nil
        scene.snapshot.inspected?.row.reason = nil
        let text = TaskDetailTests.text(scene, 120, 36)
        let line = text.split(separator: "\n").first { $0.contains(" why ") } ?? ""
        #expect(line.contains(#/why +[0-9]+:[0-9]{2}:[0-9]{2} /#), "\(text)")
    }
}
