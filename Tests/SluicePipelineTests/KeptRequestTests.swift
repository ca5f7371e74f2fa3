import Glibc
import SluiceCore
import SluiceOrigin
import SluicePipeline
import SluiceSystem
import SluiceTestSupport
import Testing

/// What a session keeps for the next one, which has another command line, and what that one makes of it.
@Suite(.timeLimit(.minutes(5)))
struct KeptRequestTests {
    private let origin: Origin
    private let keeper = KeptChanges()

    init() throws {
        origin = try Origin()
        origin.setFallback { request, _ in .text(request.path) }
    }

    /// A session whose queue is kept; it may wait for what an earlier one left.
    private func harness(waits: Bool = false, _ rules: HostRules = HostRules()) throws -> PipelineHarness {
        try PipelineHarness(saves: true, namesDirectory: true) { [keeper] in
            ($0.state, $0.keepsQueue, $0.awaitsMemory) = (keeper, true, waits)
            $0.hostRules = rules
        }
    }

    /// What is kept of a request by a session of its own, with some rules.
    private func kept(_ request: DownloadRequest, _ rules: HostRules) throws -> RequestRecord {
        let harness = try harness(rules)
        harness.pipeline.send(.submit([request]))
        try harness.finish()
        return try #require(keeper.requests.last)
    }

    private func restored(_ path: String, _ options: RequestOptions = .standard) -> RestoredRequest {
        RestoredRequest(
            row: RestoredRequest.Row(session: 1, task: 1, receipt: 1),
            request: DownloadRequest(origin.url(path), options: options),
            band: TaskQueue.Band.normal.rawValue,
            isPaused: false,
            priority: nil
        )
    }

    /// One of an earlier session is this one's to keep, and holds from the first byte on.
    @Test func theOwnLimitOfATaskIsKept() throws {
        origin.setFallback { _, _ in .text(String(repeating: "x", count: 100_000)) }
        let harness = try harness(waits: true)
        var state = RememberedState()
        var request = restored("/1")
        request.rate = 4_000
        state.requests = [request]
        harness.pipeline.remember(state)
        func received(_ events: [PipelineEvent]) -> Int {
            events.map { if case .taskProgress(_, let received, _) = $0.kind { received } else { 0 } }.max() ?? 0
        }
        #expect(harness.wait { received($0) > 0 })
        #expect(received(harness.events) < 100_000, "it is no lump")
        harness.pipeline.ask(.steer(TaskID(1), .setRate(5_000))) { _ in }
        harness.pipeline.ask(.steer(TaskID(1), .setRate(0))) { _ in }
        try harness.finish()
        #expect(keeper.rates == [4_000, 5_000, 0])
    }

    /// Of what stands still too, and where it is what its request wants anyway.
    @Test func aPriorityThatTheUserSetsIsKept() throws {
        let harness = try harness()
        origin.hold()
        harness.submit(origin.url("/1"), origin.url("/2"))
        #expect(origin.waitUntil { $0.held == 2 })
        harness.pipeline.send(.steer(.pause, .task(TaskID(1))))
        harness.pipeline.ask(.steer(TaskID(1), .setPriority(.high))) { _ in }
        harness.pipeline.ask(.steer(TaskID(2), .setPriority(.normal))) { _ in }
        harness.pipeline.send(.steer(.resume, .task(TaskID(1))))
        origin.release()
        try harness.finish()
        #expect(keeper.priorities(of: TaskID(1)).contains(.high))
        #expect(keeper.priorities(of: TaskID(2)).contains(.normal))
    }

    @Test func failuresThatASettingForgetsDoNotComeBack() throws {
        origin.route("/1", OriginResponse(404))
        let harness = try harness()
        harness.submit(origin.url("/1"))
        #expect(harness.wait { $0.taskEnds.count == 1 })
        try harness.set("failedFor", "1200")
        try harness.set("failedFor", "0")
        try harness.finish()
        let key = origin.url("/1")
        #expect(keeper.failures == [key, key, "not " + key])
    }

    /// It comes behind all that an earlier session asked for.
    @Test func cancellingAllCancelsWhatIsStillBeingRestored() throws {
        let harness = try harness(waits: true)
        try harness.set("suspended", "true")
        harness.pipeline.send(.cancelAll)
        var state = RememberedState()
        state.requests = (1...2_000).map { number in
            RestoredRequest(
                row: RestoredRequest.Row(session: 1, task: number, receipt: number),
                request: DownloadRequest(origin.url("/\(number)")),
                band: TaskQueue.Band.normal.rawValue,
                isPaused: false,
                priority: nil
            )
        }
        harness.pipeline.remember(state)
        #expect(harness.wait { $0.taskEnds.count == 2_000 })
        try harness.finish()
        #expect(origin.log.requests.isEmpty)
    }

    /// What identifies the user is kept too, and the fields of the file, which the next session reads, are not.
    @Test(arguments: [false, true]) func aRestoredRequestIsTheSameDownload(isNamed: Bool) throws {
        var ofFile = HostRules()
        ofFile.headerRules = [
            HostRules.HeaderRule(
                hosts: .all,
                added: [HeaderField("X-File", "1")],
                replaced: [HeaderField("X-Both", "file")]
            )
        ]
        var rules = ofFile
        rules.headers = [HeaderField("X-Both", "line"), HeaderField("X-Own", "line")]
        rules.privateHeaders = [HeaderField("Cookie", "a=b")]
        rules.privateCredentials = Credentials(user: "us/er@é", password: "p:w %41")
        if isNamed { rules.namedHosts = ["127.0.0.1"] }
        let options = RequestOptions(headers: [HeaderField("x-own", "own")], destination: "x")

        let first = try kept(DownloadRequest(origin.url("/a"), options: options), rules)
        let second = try kept(first.request, ofFile)

        #expect(second.key == first.key)
        #expect(second.request.url == first.request.url)
        #expect(first.request.url.contains("@") == isNamed)
        let cookie = isNamed ? [HeaderField("Cookie", "a=b")] : []
        let fields = [HeaderField("X-Both", "line")] + cookie + [HeaderField("x-own", "own")]
        #expect(first.request.options.headers == fields)
        #expect(second.request.options.headers == fields)
        #expect(first.request.options.destination == "x")
    }

    @Test func whatRequestsShareStaysShared() throws {
        var rules = HostRules()
        rules.headers = [HeaderField("X-A", "1")]
        let harness = try harness(rules)
        harness.submit(origin.url("/a"), origin.url("/b"))
        try harness.finish()
        let options = keeper.requests.map(\.request.options)
        #expect(options.count == 2 && options[0] === options[1])
    }

    @Test func aRetryKeepsWhoTheUserIs() throws {
        origin.route("/gone", OriginResponse(404))
        let url = origin.url("/gone").replacing("http://", with: "http://u:p@")
        let harness = try harness()
        harness.submit(url)
        #expect(harness.wait { $0.taskEnds.count == 1 })
        harness.pipeline.send(.steer(.retry, .task(TaskID(1))))
        #expect(harness.wait { $0.taskEnds.count == 2 })
        try harness.shutDown()
        #expect(keeper.requests.map(\.request.url) == [url, url])
    }

    @Test func thatTheQueueIsSuspendedIsKept() throws {
        let harness = try harness()
        harness.pipeline.send(.pauseAll)
        harness.pipeline.send(.pauseAll)
        harness.pipeline.send(.resumeAll)
        try harness.shutDown()
        #expect(keeper.suspensions == [true, false])
    }

    @Test func aQueueThatWasSuspendedIsRestoredSo() throws {
        let harness = try harness(waits: true)
        var state = RememberedState()
        (state.requests, state.isSuspended) = ([restored("/1"), restored("/2")], true)
        harness.pipeline.remember(state)
        #expect(harness.wait { $0.submissions.count == 2 })
        let whys = harness.events.submissions.map { $0.why.sentence(now: Timestamp(nanoseconds: 0)) }
        #expect(whys.allSatisfy { $0.contains("the queue was suspended then and still is") })
        #expect(origin.log.requests.isEmpty)
        #expect(keeper.suspensions == [true])

        harness.pipeline.send(.resumeAll)
        let events = try harness.finish()
        #expect(events.taskEnds.map(\.outcome) == [.success, .success])
    }

    @Test func whatBeganElsewhereIsToldOnce() throws {
        let harness = try harness(waits: true)
        var state = RememberedState()
        state.elsewhere = [
            BegunElsewhere(directory: "/a", count: 2, isTaken: true),
            BegunElsewhere(directory: "/b", count: 1, isTaken: false),
        ]
        harness.pipeline.remember(state)
        let events = try harness.finish()
        let said = events.compactMap { if case .warning(.otherDirectory, let text, _) = $0.kind { text } else { nil } }
        #expect(
            said == [
                "2 requests begun for /a go on here without their partial files: quit and use --dir /a to go on with "
                    + "them; 1 request saves its file to /b: start sluice without --no-save to go on"
            ]
        )
    }

    /// As if something could not be written: the end of it is told, too.
    @Test func whatCanNotBeReadNowIsToldUntilItPasses() throws {
        let harness = try harness(waits: true)
        var state = RememberedState()
        state.problem = StateProblem(message: "locked", mayPass: true)
        harness.pipeline.remember(state)
        #expect(harness.wait { $0.warnings == [.state] })
        harness.submit(origin.url("/a"))
        let events = try harness.finish()
        #expect(events.warnings == [.state, .stateKept])
    }

    @Test func aCopyThatWasNotMadeIsMadeOfTheSavedFile() throws {
        let harness = try harness(waits: true)
        let directory = harness.directory.path
        let path = directory + "/a"
        #expect(FileTree.write("body", to: path))
        let status = try #require(FileStatus(path, in: AT_FDCWD))
        var state = RememberedState()
        state.files = [KnownFile(key: origin.url("/a"), directory: directory, file: status.saved(path))]
        state.requests = [restored("/a", RequestOptions(policy: .reload, destination: "b"))]
        state.requests[0].hasSavedBody = true
        harness.pipeline.remember(state)
        #expect(harness.wait { $0.receiptEnds.count == 1 })
        let events = try harness.shutDown()
        #expect(events.receiptEnds.map(\.file) == [directory + "/b"])
        #expect(harness.directory.contents(of: "b") == Array("body".utf8))
        #expect(origin.log.requests.isEmpty)
    }
}

/// Keeps changes in memory, at once.
private final class KeptChanges: StateKeeping {
    private let changes = Locked<[StateChange]>([])

    func save(_ changes: [StateChange], saved: @escaping @Sendable (StateProblem?) -> Void) {
        self.changes.withLock { $0 += changes }
        saved(nil)
    }

    var requests: [RequestRecord] {
        changes.withLock { $0 }.compactMap { if case .request(let record) = $0 { record } else { nil } }
    }

    /// Keys of failures, and of those that are forgotten.
    var failures: [String] {
        changes.withLock { $0 }.compactMap { change in
            switch change {
            case .failed(let record): record.key
            case .notFailed(let key): "not " + key
            default: nil
            }
        }
    }

    /// What the user set for a task, each time that it was kept.
    func priorities(of task: TaskID) -> [Priority?] {
        changes.withLock { $0 }.compactMap { change -> Priority?? in
            if case .task(let record) = change, record.task == task { .some(record.priority) } else { nil }
        }
    }

    var rates: [Int] {
        changes.withLock { $0 }.compactMap { if case .rate(_, let rate) = $0 { rate } else { nil } }
    }

    var suspensions: [Bool] {
        changes.withLock { $0 }.compactMap { if case .suspended(let isSuspended) = $0 { isSuspended } else { nil } }
    }
}
