import SluiceCore
import Testing

@testable import SluiceUI

/// What a task means for the caches, and one of which no file is saved.
extension TaskDetailTests {
    @Test(arguments: [false, true]) func whatIsOnlyForTheCachesSavesNothingAndSaysSo(isPrefetched: Bool) {
        var scene = Self.inspected
        scene.snapshot.directory = "/home/u/Pictures"
        if isPrefetched {
            (scene.snapshot.active[0].savesFile, scene.snapshot.active[0].file) = (false, nil)
            scene.snapshot.inspected?.row.savesFile = false
            scene.snapshot.inspected?.row.file = nil
        } else {
            scene.snapshot.active[0].receipts = 0
            scene.snapshot.inspected?.row.receipts = 0
        }
        var driver = Driver(scene, 120, 36)
        #expect(driver.text.contains("to   the caches only, no file is saved"), "\(driver.text)")
        #expect(!driver.text.contains(".part"), "\(driver.text)")
        _ = driver.press(keys: [.enter])
        #expect(driver.text.contains("nowhere: for the caches only"), "\(driver.text)")
    }

    @Test func theVerdictOfTheHTTPCacheIsToldWithItsWhy() {
        let url = "https://img.nasa.example/hi/dunes-4096.jpg"
        func told(_ verb: HTTPCacheChange.Verb, _ why: HTTPCacheWhy, freshUntil: Int64? = nil) -> String {
            var scene = Self.inspected
            var driver = Driver(scene, 120, 36)
            _ = driver.press(keys: [.enter])
            let before = driver.text
            #expect(before.contains("decided at its end"), "\(before)")
            scene.add(60, Self.cache(verb, url, why, freshUntil: freshUntil))
            scene.add(60, .taskFinished(Self.end(of: 1, url: url)))
            _ = driver.send(.events(Array(scene.events.suffix(2)), lost: 0))
            driver.pass(.seconds(1))
            return driver.text
        }
        let skipped = told(.skipped, .noStore)
        #expect(skipped.contains("⊘ not stored") && skipped.contains("no-store"), "\(skipped)")
        let stored = told(.stored, .storedForValidation(.noCache), freshUntil: 45_604_000 + 3_600_000)
        #expect(stored.contains("✓ stored · 38.0 MiB"), "\(stored)")
        #expect(stored.contains(/fresh until [0-9]{2}:[0-9]{2}/), "\(stored)")
        var off = Self.inspected
        off.snapshot.http.capacity = 0
        #expect(!Self.text(off, 120, 36).contains("HTTP cache  off"), "no limit is no cache without room")
        off.snapshot.hasHTTPCache = false
        #expect(Self.text(off, 120, 36).contains("HTTP cache  off"))
    }

    /// A URL that was not found is tried again, and answers.
    @Test func ofTwoTasksOfAURLEachHasItsOwnVerdict() {
        var scene = Scene.empty
        scene.add(10, Self.cache(.skipped, Self.url, .status(404)))
        scene.failed(10, Self.url, DownloadError(.badStatus, "404 Not Found", status: 404), task: 400)
        scene.add(20, .taskChanged(Self.start(of: 401, url: Self.url)))
        #expect(Self.verdict(of: 401, in: scene) == "decided at its end")

        scene.add(30, Self.cache(.stored, Self.url, .storedForValidation(.noCache)))
        scene.add(30, .taskFinished(Self.end(of: 401, url: Self.url)))
        #expect(Self.verdict(of: 401, in: scene).hasPrefix("✓ stored · "))
        #expect(
            Self.verdict(of: 400, in: scene) == "⊘ not stored because answers with status 404 are not",
            "what came later is of the other"
        )
    }

    @Test(arguments: [(HTTPCacheChange.Verb.hit, "◆ answered · "), (.revalidated, "◆ still holds · ")])
    func aTaskThatTheDiskAnsweredSaysSoWhateverComesLater(verb: HTTPCacheChange.Verb, words: String) {
        var scene = Scene.empty
        scene.add(10, Self.cache(verb, Self.url, .validated))
        scene.add(10, .taskFinished(Self.end(of: 400, url: Self.url)))
        scene.add(20, Self.cache(.skipped, Self.url, .noStore))
        scene.add(20, .taskFinished(Self.end(of: 401, url: Self.url)))
        #expect(Self.verdict(of: 400, in: scene).hasPrefix(words))
        #expect(Self.verdict(of: 401, in: scene).hasPrefix("⊘ not stored"))
    }

    /// An attempt that another one follows has a verdict too, until that one begins.
    @Test func aRefusalIsNotStoredWhileTheTaskWaits() {
        var scene = Scene.empty
        var change = Self.start(of: 400, url: Self.url)
        scene.add(10, .taskChanged(change))
        scene.add(11, Self.cache(.skipped, Self.url, .status(503)))
        change.phase = .waiting
        scene.add(11, .taskChanged(change))
        #expect(Self.verdict(of: 400, in: scene).hasPrefix("⊘ not stored because answers with status 503"))

        change.phase = .resumed
        scene.add(15, .taskChanged(change))
        #expect(Self.verdict(of: 400, in: scene) == "decided at its end")
    }

    @Test(arguments: [false, true]) func whatWasStoredAndIsGoneSinceIsToldAsGone(skipsFirst: Bool) {
        var scene = Scene.empty
        scene.add(10, Self.cache(.stored, Self.url, .storedForValidation(.noCache)))
        scene.add(10, .taskFinished(Self.end(of: 400, url: Self.url)))
        let news = [Self.cache(.skipped, Self.url, .noStore), Self.cache(.evicted, Self.url, .outdated)]
        for change in skipsFirst ? news : news.reversed() { scene.add(20, change) }
        scene.add(20, .taskFinished(Self.end(of: 401, url: Self.url)))
        #expect(Self.verdict(of: 400, in: scene).hasPrefix("⊘ dropped again"))
        #expect(Self.verdict(of: 401, in: scene).hasPrefix("⊘ not stored"), "why it was dropped")
    }

    /// Others make room for themselves, a picture's task has no record, and what it belongs to may be lost.
    @Test(arguments: ["room", "picture", "lost"]) func whatIsSaidForOthersIsNoVerdict(cause: String) {
        var scene = Scene.empty
        var lost = 0
        switch cause {
        case "room": scene.add(10, Self.cache(.evicted, "https://b.example/", .leastRecent))
        case "picture":
            var news = Submission(url: Self.url, outcome: .cached, why: .queueSuspended, origin: .view(1))
            (news.receipt, news.task, news.source) = (ReceiptID(9), TaskID(399), .disk)
            scene.add(10, .requestSubmitted(news))
            scene.add(10, Self.cache(.hit, Self.url, .validated))
            scene.add(10, .taskFinished(Self.end(of: 399, url: Self.url)))
        default:
            scene.add(10, Self.cache(.stored, Self.url, .storedForValidation(.noCache)))
            lost = 1
        }
        var dashboard = scene.dashboard(120, 36)
        let end = PipelineEvent(seq: 900, t: .seconds(10), kind: .taskFinished(Self.end(of: 400, url: Self.url)))
        _ = dashboard.handle(.events([end], lost: lost), now: Scene.now)
        let words = lost == 0 ? "nothing was stored or asked" : "not known, since events were lost"
        #expect(Self.verdict(of: 400, dashboard.state) == words)
    }

    private static let url = "https://a.example/x.png"

    private static func cache(
        _ verb: HTTPCacheChange.Verb,
        _ url: String,
        _ why: HTTPCacheWhy,
        freshUntil: Int64? = nil
    ) -> PipelineEvent.Kind {
        let bytes = 39_845_888
        return .httpCacheChanged(
            HTTPCacheChange(verb: verb, key: url, bytes: bytes, usage: bytes, freshUntil: freshUntil, why: why)
        )
    }

    private static func verdict(of task: Int, in scene: Scene) -> String {
        verdict(of: task, scene.dashboard(120, 36).state)
    }

    /// The row of the HTTP cache in a task's detail, without its label.
    private static func verdict(of task: Int, _ state: AppState) -> String {
        var state = state
        state.detail.task = TaskID(task)
        let lines = TaskDetail(state, now: Scene.now)?.httpVerdict(width: 120) ?? []
        let texts = lines.map { line in
            if case .fact(_, let text) = line { text.spans.map(\.text).joined() } else { "" }
        }
        return texts.joined(separator: " ")
    }
}
