import Glibc
import SluiceCore
import SluiceOrigin
import SluicePictures
import SluiceTestSupport
import Testing

/// The control socket of the real program: every method, its results and refusals.
@Suite(.timeLimit(.minutes(15)))
struct ControlTests {
    private let origin: Origin
    private let run: GetRun
    private let peer: ControlPeer

    init() throws {
        origin = try Origin()
        let scratch = try Scratch()
        run = try GetRun(["--socket", scratch.path("s"), "--retries", "0"], in: scratch)
        peer = try ControlPeer(scratch.path("s"))
    }

    /// Ends the program, and expects that it ended well and its stream of events is whole.
    ///
    /// - Returns: These events.
    @discardableResult
    private func quit(
        _ exit: ChildExit = .exited(0),
        _ location: SourceLocation = #_sourceLocation
    ) throws -> [JSONValue] {
        try peer.call("quit")
        let result = try run.finish(location)
        #expect(result.exit == exit, "\(result.errors)", sourceLocation: location)
        #expect(!run.scratch.strays.contains("s"), "the socket goes with its program", sourceLocation: location)
        return result.events
    }

    /// The task of a cancelled receipt goes on, for the caches; the request was not granted all the same.
    @Test func aCancelledReceiptIsNoSuccess() throws {
        origin.route("/a.txt", .text("text"))
        origin.hold()
        try peer.call("submit", #"{"url":"\#(origin.url("/a.txt"))"}"#)
        #expect(origin.waitUntil { $0.held == 1 })
        #expect(try peer.call("cancel", #"{"receipt":1}"#) == .object(["cancelled": .bool(true)]))
        origin.release()
        try peer.call("wait")
        try quit(.exited(1))
    }

    /// Its task succeeds for another one, so that no count of tasks says why the status is 1.
    @Test func theSummaryTellsOfARequestThatWasCancelledAlone() throws {
        origin.route("/a.txt", .text("text"))
        origin.hold()
        for _ in 1...2 { try peer.call("submit", #"{"url":"\#(origin.url("/a.txt"))"}"#) }
        #expect(try peer.call("cancel", #"{"receipt":2}"#) == .object(["cancelled": .bool(true)]))
        origin.release()
        try peer.call("wait")
        try peer.call("quit")
        let result = try run.finish()
        #expect(result.exit == .exited(1), "\(result.errors)")
        #expect(result.errors.contains("1 request cancelled while its download went on"), "\(result.errors)")
        #expect(result.events.taskOutcomes == ["success"] && !result.errors.contains("failed"), "\(result.errors)")
    }

    /// What asks for a part is for the URLs beside it; another program's request has its own fields.
    @Test func aRangeOfTheCommandLineIsNotForOtherPrograms() throws {
        origin.route("/a.bin") { request, _ in .resource(.pattern(count: 2_000), for: request, etag: "\"1\"") }
        try quit()
        let scratch = try Scratch()
        let url = origin.url("/a.bin")
        origin.hold()
        let run = try GetRun(["--socket", scratch.path("s"), "--header", "Range: bytes=0-9", url], in: scratch)
        #expect(origin.waitUntil { $0.held == 1 })
        let peer = try ControlPeer(scratch.path("s"))
        try peer.call("submit", #"{"url":"\#(url)"}"#)
        #expect(origin.waitUntil { $0.held == 2 })
        origin.release()
        let result = try run.finish()
        #expect(result.exit == .exited(0), "\(result.errors)")
        #expect(Set(result.events.named("task.response").map { $0["status"]?.int }) == [206, 200])
    }

    /// Also those behind as many as are looked at together.
    @Test func everyCallIsAnsweredWhenTheProgramIsToldToEnd() throws {
        origin.route("/a.txt", .text("text"))
        origin.hold()
        try peer.call("submit", #"{"url":"\#(origin.url("/a.txt"))"}"#)
        let other = try ControlPeer(run.scratch.path("s"))
        // In one piece: many small ones fill the socket long before.
        let calls = (1...200).map { #"{"jsonrpc":"2.0","id":\#($0),"method":"wait"}"# }
        other.send(line: calls.joined(separator: "\n"))
        _ = try peer.call("state")
        run.child.send(signal: SIGTERM)
        var answers: [JSONValue] = []
        while let line = other.receive() { answers.append(try JSONValue(parsing: line)) }
        #expect(answers.compactMap { $0["id"]?.int }.sorted() == Array(1...200))
        #expect(answers.allSatisfy { $0["error"]?["code"]?.int == 2 })
        #expect(try run.finish(closesInput: false).exit == .exited(7))
    }

    @Test func anIdleProgramRunsUntilItIsToldToQuit() throws {
        let state = try peer.call("state")
        #expect(state["active"] == .array([]) && state["queuedCount"] == .integer(0))
        #expect(state["indicator"]?["state"]?.string == "notActive")
        #expect(state["settings"]?["maxActive"] == .integer(4))
        try peer.call("wait")
        #expect(try peer.call("queue") == .array([]))
        #expect(try peer.call("cache.list") == .array([]))
        #expect(try peer.call("cache.clear") == .object(["removed": .integer(0), "freed": .integer(0)]))
        #expect(try peer.call("pressure") == .object(["removed": .integer(0), "freed": .integer(0)]))
        #expect(try peer.call("cache.remove", #"{"key":"http://a/"}"#) == .object(["removed": .bool(false)]))
        #expect(try peer.call("pause", as: "pause{}") == .object(["tasks": .integer(0)]))
        #expect(try peer.call("state")["settings"]?["suspended"] == .bool(true))
        #expect(try peer.call("resume", "{}", as: "resume{}") == .object(["tasks": .integer(0)]))
        try quit()
    }

    @Test func aSubmittedRequestIsSavedAndAllOfItsLifeCanBeAskedFor() throws {
        origin.route("/a.txt", .text("hello"))
        let answer = try peer.call("submit", #"{"url":"\#(origin.url("/a.txt"))","tag":"mine\u0007"}"#)
        #expect(answer["outcome"] == .string("started") && answer["receipt"] == .integer(1))
        try peer.call("wait")
        #expect(run.contents(of: "a.txt") == Array("hello".utf8))
        let report = try peer.call("task", #"{"task":1}"#)
        #expect(report["state"] == .string("ended") && report["outcome"] == .string("success"))
        #expect(report["receipts"]?.array?.first?["tag"] == .string("mine\u{7}"))
        let history = (report["history"]?.array ?? []).compactMap { $0["event"]?.string }
        #expect(history == ["request.submitted", "task.started", "task.response", "task.finished"])
        #expect(try peer.call("cancel", #"{"receipt":1}"#) == .object(["cancelled": .bool(false)]))
        for method in ["abort", "pause", "resume", "promote", "retry"] {
            #expect(try peer.call(method, #"{"task":1}"#) == .object(["changed": .bool(false)]))
        }
        let counts = try peer.call("state")["counts"]
        #expect(counts?["succeeded"] == .integer(1) && counts?["left"] == .integer(0))
        try quit()
    }

    @Test func listsAreAnsweredOneForOneInOrder() throws {
        for path in ["/slow", "/b", "/c"] { origin.route(path, .text(path)) }
        origin.hold("/slow")
        try peer.call("set", #"{"name":"maxActive","value":1}"#)
        let urls = [origin.url("/slow"), origin.url("/b"), "gopher://x", origin.url("/slow"), origin.url("/c")]
        let list = try peer.call(
            "submit",
            #"{"urls":[\#(urls.map { "\"\($0)\"" }.joined(separator: ","))]}"#,
            as: "submit[]"
        )
        let answers = list.array ?? []
        #expect(answers.compactMap { $0["outcome"]?.string } == ["started", "queued", "rejected", "joined", "queued"])
        #expect(answers.map { $0["position"]?.int } == [nil, 1, nil, nil, 2])
        #expect(answers[2]["error"]?["code"] == .string("badURL"))
        #expect(try peer.call("submit", #"{"urls":[]}"#, as: "submit[]") == .array([]))

        let state = try peer.call("state")
        #expect(state["active"]?.array?.first?["receipts"] == .integer(2))
        #expect(state["queued"]?.array?.map { $0["url"]?.string } == [origin.url("/b"), origin.url("/c")])
        let events = { (task: Int) throws in
            try peer.call("task", "{\"task\":\(task)}")["history"]?.array?.compactMap { $0["event"]?.string }
        }
        #expect(try events(2) == ["request.submitted", "task.queued"])
        #expect(try peer.call("move", #"{"task":3,"by":-5}"#) == .object(["changed": .bool(true)]))
        #expect(try peer.call("priority", #"{"task":2,"value":"high"}"#) == .object(["changed": .bool(true)]))
        #expect(try peer.call("queue", #"{"from":1,"count":1}"#).array?.first?["task"] == .integer(2))
        #expect(try peer.call("promote", #"{"task":3}"#) == .object(["changed": .bool(true)]))
        #expect(try peer.call("queue").array?.compactMap { $0["task"]?.int } == [3, 2])
        #expect(try peer.call("pause", #"{"task":3}"#) == .object(["changed": .bool(true)]))
        #expect(try peer.call("state")["paused"]?.array?.first?["task"] == .integer(3))
        #expect(try peer.call("cancel", #"{"receipt":2}"#) == .object(["cancelled": .bool(true)]))
        #expect(try peer.call("task", #"{"task":2}"#)["outcome"] == .string("cancelled"))
        let whole = try #require(try events(2))
        #expect(whole == ["request.submitted", "task.queued", "task.moved", "task.finished"])
        #expect(try peer.call("pause", as: "pause{}") == .object(["tasks": .integer(1)]))
        #expect(try peer.call("resume", as: "resume{}") == .object(["tasks": .integer(2)]))
        origin.release()
        try peer.call("wait")
        try quit(.exited(1))
    }

    @Test func whatWasNeverThereIsUnknown() throws {
        for (method, parameters) in [
            ("cancel", #"{"receipt":1}"#), ("cancel", #"{"receipt":-3}"#), ("abort", #"{"task":1}"#),
            ("pause", #"{"task":0}"#), ("task", #"{"task":7}"#), ("retry", #"{"task":7}"#),
            ("move", #"{"task":7,"by":1}"#), ("priority", #"{"task":7,"value":"low"}"#),
        ] { #expect(try peer.refusal(method, parameters).code == 1, "\(method)") }
        #expect(try peer.call("prefetch.cancel", #"{"batch":5}"#) == .object(["changed": .bool(false)]))
        #expect(try peer.refusal("sett").code == -32601)
        let refusal = try peer.refusal("set", #"{"name":"cachePreferred","value":"1G"}"#)
        #expect(refusal.code == -32602 && refusal.message.contains("cacheCapacity"))
        #expect(try peer.refusal("subscribe", #"{"since":99}"#).code == -32602)
        try quit()
    }

    @Test func everySettingCanBeSetAndSaysWhatItWas() throws {
        let settings = try #require(try peer.call("state")["settings"]?.object)
        for (name, value) in settings {
            let text: String =
                switch value {
                case .integer(let number): "\(number)"
                case .number(let number): number.text
                case .bool(let flag): "\(flag)"
                case .string(let word): "\"\(word)\""
                case .array(let values): "[" + values.map { "\"\($0.string ?? "")\"" }.joined(separator: ",") + "]"
                case .null, .object: "null"
                }
            let same = try peer.call("set", #"{"name":"\#(name)","value":\#(text)}"#)
            #expect(same["from"] == value && same["to"] == value, "\(name)")
        }
        let change = try peer.call("set", #"{"name":"limitRate","value":"1.5M"}"#)
        #expect(change["from"] == .integer(0) && change["to"] == .integer(1_572_864))
        let events = try EventsSoFar(run).named("settings.changed")
        #expect(events.count == 1, "what stays as it is sends nothing")
        try quit()
    }

    @Test func aFailedTaskIsTriedAgain() throws {
        origin.route("/late") { _, number in number > 1 ? .text("now") : OriginResponse(404) }
        let submit = #"{"url":"\#(origin.url("/late"))"}"#
        try peer.call("submit", submit)
        try peer.call("wait")
        let again = try peer.call("submit", submit)
        #expect(again["outcome"] == .string("rejected") && again["error"]?["code"] == .string("previouslyFailed"))
        #expect(try peer.call("retry", #"{"task":1}"#) == .object(["changed": .bool(true)]))
        try peer.call("wait")
        #expect(run.contents(of: "late") == Array("now".utf8))
        try quit(.exited(1))
    }

    @Test func aBatchOfURLsIsFetchedAheadAndCanBeCancelled() throws {
        origin.route("/p", .text("p"))
        origin.hold("/p")
        let batch = try peer.call("prefetch", #"{"urls":["\#(origin.url("/p"))"]}"#)
        #expect(batch == .object(["batch": .integer(1)]))
        #expect(try peer.call("prefetch.cancel", #"{"batch":1}"#) == .object(["changed": .bool(true)]))
        #expect(try peer.call("prefetch.cancel", #"{"batch":1}"#) == .object(["changed": .bool(false)]))
        origin.release()
        try peer.call("wait")
        try peer.call("quit")
        #expect(try run.finish().files.isEmpty)
    }

    @Test func aPathOfTheCallersGoesWhereItSays() throws {
        origin.route("/a.txt", .text("one"))
        origin.route("/b.txt", .text("two"))
        let elsewhere = run.scratch.path("elsewhere/deep")
        try peer.call("submit", #"{"url":"\#(origin.url("/a.txt"))","destination":"x/./y/z.bin"}"#)
        try peer.call("submit", #"{"url":"\#(origin.url("/b.txt"))","destination":"\#(elsewhere)/b"}"#)
        try peer.call("wait")
        #expect(run.contents(of: "x/y/z.bin") == Array("one".utf8))
        #expect(FileTree.contents(of: elsewhere + "/b") == Array("two".utf8))
        try quit()
    }

    @Test func thumbnailsShareTheDownloadAndLiveBesideTheWholeImage() throws {
        origin.route(
            "/a.png",
            .bytes(ImageEncoder.png(OriginImages.draw(.cover, width: 40, height: 20)), type: "image/png")
        )
        origin.hold("/a.png")
        let url = origin.url("/a.png")
        let small = #"{"url":"\#(url)","thumbnail":{"width":10,"height":10}}"#
        try peer.call("submit", small)
        #expect(try peer.call("submit", #"{"url":"\#(url)"}"#)["outcome"] == .string("joined"))
        #expect(
            try peer.call("submit", #"{"url":"\#(url)","thumbnail":{"width":20,"height":20}}"#)["outcome"]
                == .string("joined")
        )
        origin.release()
        try peer.call("wait")
        #expect(origin.log.hits("/a.png") == 1)
        let entries = try peer.call("cache.list").array ?? []
        #expect(entries.map { $0["key"]?.string } == [url, url, url])
        let costs = Dictionary(uniqueKeysWithValues: entries.map { ($0["id"]?.string ?? "", $0["cost"]?.int ?? 0) })
        #expect(costs == ["": 3_200, "thumb-10x10": 10 * 5 * 4, "thumb-20x20": 20 * 10 * 4])
        #expect(try peer.call("submit", small)["source"] == .string("memory"))
        #expect(
            try peer.call("cache.remove", #"{"key":"\#(url)","id":"thumb-10x10"}"#) == .object(["removed": .bool(true)])
        )
        #expect(try peer.call("cache.list").array?.count == 2)
        #expect(try peer.call("cache.remove", #"{"key":"\#(url)"}"#) == .object(["removed": .bool(true)]))
        #expect(try peer.call("cache.list") == .array([]))
        #expect(try peer.refusal("submit", #"{"url":"a","thumbnail":{"width":0,"height":5}}"#).code == -32602)
        try quit()
    }

    @Test func aThumbnailAndADestinationComeFromTheHTTPCacheToo() throws {
        var response = OriginResponse.bytes(
            ImageEncoder.png(OriginImages.draw(.cover, width: 40, height: 20)),
            type: "image/png"
        )
        response.headers.append(HeaderField("Cache-Control", "max-age=1000"))
        origin.route("/a.png", response)
        let url = origin.url("/a.png")
        try peer.call("submit", #"{"url":"\#(url)"}"#)
        try peer.call("wait")
        let answer = try peer.call(
            "submit",
            #"{"url":"\#(url)","destination":"b/c.png","thumbnail":{"width":10,"height":10}}"#
        )
        #expect(answer["outcome"] == .string("cached") && answer["source"] == .string("disk"))
        try peer.call("wait")
        #expect(origin.log.hits("/a.png") == 1)
        #expect(run.contents(of: "b/c.png") == run.contents(of: "a.png"))
        #expect(try peer.call("cache.list").array?.compactMap { $0["id"]?.string } == ["thumb-10x10"])
        try quit()
    }

    @Test func eachReceiptWithADestinationOfItsOwnGetsACopy() throws {
        origin.route("/a.txt", .text("shared"))
        origin.hold("/a.txt")
        for name in ["one.txt", "two.txt", "two.txt"] {
            try peer.call("submit", #"{"url":"\#(origin.url("/a.txt"))","destination":"\#(name)"}"#)
        }
        origin.release()
        try peer.call("wait")
        #expect(run.contents(of: "one.txt") == Array("shared".utf8))
        #expect(run.contents(of: "two.txt") == Array("shared".utf8))
        let files = try EventsSoFar(run).named("receipt.finished").compactMap { $0["file"]?.string }
        #expect(files.map { $0.split(separator: "/").last } == ["one.txt", "two.txt", "two.txt"])
        try peer.call("quit")
        #expect(try run.finish().files == ["one.txt", "two.txt"])
    }

    @Test func unfinishedWorkIsCountedWhenAProgramSaysQuit() throws {
        origin.route("/endless", .text("never"))
        origin.hold("/endless")
        try peer.call("submit", #"{"url":"\#(origin.url("/endless"))"}"#)
        let events = try quit(.exited(7))
        #expect(events.named("session.ended").map { $0["left"] } == [.integer(1)])
        #expect(events.named("task.finished").isEmpty, "it is neither failed nor cancelled")
    }
}
