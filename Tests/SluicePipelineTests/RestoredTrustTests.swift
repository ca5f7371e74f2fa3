import SluiceCore
import SluiceOrigin
import SluicePipeline
import SluiceTestSupport
import Testing

/// What an earlier session asked for under rules of trust that this one may not have.
@Suite(.timeLimit(.minutes(5)))
struct RestoredTrustTests {
    /// What holds for the host of the tests.
    enum Rules: CaseIterable {
        case standard
        case pinned
        case lenient
    }

    private let origin: Origin
    private let keeper = SlowKeeper()

    init() throws {
        origin = try Origin()
        origin.setFallback { request, _ in .text(request.path) }
    }

    private func book(_ rules: Rules) throws -> TrustBook {
        switch rules {
        case .standard: return .standard
        case .pinned:
            let host = try #require(HostPattern("127.0.0.1"))
            return try TrustBook.standard.changed(by: .pin(host, [.key(sha256: Array(repeating: 7, count: 32))]))
        case .lenient:
            var policy = TrustPolicy()
            policy.allowInvalid = true
            return TrustBook(entries: [], fallback: policy)
        }
    }

    /// What a session leaves that asked for something and got none of it.
    private func left(
        _ paths: [String],
        _ rules: Rules,
        _ options: RequestOptions = .standard
    ) throws -> [RestoredRequest] {
        let keeper = SlowKeeper()
        let book = try book(rules)
        let harness = try PipelineHarness(saves: true) {
            ($0.state, $0.keepsQueue, $0.trust, $0.settings.suspended) = (keeper, true, book, true)
        }
        harness.submit(paths.map { origin.url($0) }, options: options)
        #expect(harness.wait { $0.submissions.count == paths.count })
        try harness.shutDown()
        #expect(keeper.left.count == paths.count)
        return keeper.left
    }

    /// A session that goes on with what another one left.
    private func session(
        _ rules: Rules,
        after left: [RestoredRequest],
        failed: [FailedRecord] = [],
        parts: [PartRecord] = [],
        _ keeper: SlowKeeper
    ) throws -> PipelineHarness {
        let book = try book(rules)
        let harness = try PipelineHarness(saves: true) {
            ($0.state, $0.keepsQueue, $0.awaitsMemory, $0.trust) = (keeper, true, true, book)
        }
        var state = RememberedState()
        (state.requests, state.failed, state.parts) = (left, failed, parts)
        harness.pipeline.remember(state)
        return harness
    }

    @Test(arguments: Rules.allCases, Rules.allCases)
    func whatWasAskedForUnderOtherRulesIsRestoredPaused(old: Rules, new: Rules) throws {
        let waits = old != new
        let left = try left(["/1"], old)

        let harness = try session(new, after: left, keeper)

        #expect(harness.wait { $0.changes(.suspended).count == 1 || $0.taskEnds.count == 1 })
        let events = try harness.shutDown()
        #expect(origin.log.hits("/1") == (waits ? 0 : 1))
        #expect(events.submissions.map { $0.why == .restoredUnderOtherTrust(reached: nil) } == [waits])
        let reasons = events.changes(.suspended).compactMap(\.reason)
        #expect(reasons == (waits ? [Why.restoredUnderOtherTrust(reached: nil)] : []), "nobody paused it")
    }

    /// Also a POST, of which no two have one key.
    @Test(arguments: ["GET", "POST"]) func itGoesOnByItselfWhereItsOwnRulesHoldAgain(method: String) throws {
        let first = try left(["/1"], .pinned, RequestOptions(method: method))
        let harness = try session(.standard, after: first, keeper)
        #expect(harness.wait { $0.changes(.suspended).count == 1 })
        try harness.shutDown()
        let second = keeper.left
        #expect(second.map(\.isPaused) == [false])
        #expect(second.map(\.key) == first.map(\.key) && second.map(\.trust) == first.map(\.trust))

        let again = try session(.pinned, after: second, SlowKeeper())

        #expect(again.wait { $0.taskEnds.count == 1 })
        #expect(try again.shutDown().changes(.suspended).isEmpty)
        #expect(origin.log.hits("/1") == 1)
    }

    @Test func whatWasResumedIsOfTheRulesOfThatSession() throws {
        let left = try left(["/1", "/1"], .pinned)
        let harness = try session(.standard, after: left, keeper)
        #expect(harness.wait { $0.changes(.suspended).count == 1 && $0.submissions.count == 2 })
        try harness.set("suspended", "true")
        harness.pipeline.send(.steer(.resume, .task(TaskID(1))))
        #expect(harness.wait { $0.changes(.queued).contains { $0.reason == .resumedByUser } })
        try harness.shutDown()
        #expect(keeper.left.compactMap(\.key) == [origin.url("/1"), origin.url("/1")], "both requests of the task")

        let again = try session(.standard, after: keeper.left, SlowKeeper())

        #expect(again.wait { $0.receiptEnds.count == 2 })
        #expect(try again.shutDown().changes(.suspended).isEmpty)
    }

    /// What ran stands first there, and what waits is not asked before its time.
    @Test(arguments: [nil, 4_000_000_000_000_000_000 as Int64]) func itStandsThereWhereItStood(until: Int64?) throws {
        var left = try left(["/1", "/2"], .pinned)
        (left[1].band, left[1].waitsUntil) = (TaskRecord.activeBand, until)
        let harness = try session(.standard, after: left, keeper)
        #expect(harness.wait { $0.changes(.suspended).count == 2 })
        try harness.shutDown()
        #expect(keeper.left.map(\.request.url) == [origin.url("/2"), origin.url("/1")])
        #expect(keeper.left.map(\.waitsUntil) == [until, nil] && keeper.left.map(\.isPaused) == [false, false])
    }

    @Test func whatMayHaveReachedItsServerSaysSoToo() throws {
        var left = try left(["/1"], .pinned, RequestOptions(method: "POST"))
        left[0].band = TaskRecord.activeBand
        let harness = try session(.standard, after: left, keeper)
        #expect(harness.wait { $0.changes(.suspended).count == 1 })
        let reasons = try harness.shutDown().changes(.suspended).compactMap(\.reason)
        #expect(reasons == [Why.restoredUnderOtherTrust(reached: "POST")])
        #expect(keeper.left.map(\.isPaused) == [true], "it is never asked again by itself")
    }

    /// Its part came under other rules, and would keep its name from what comes now.
    @Test func whatIsResumedLeavesItsFormerPart() throws {
        let left = try left(["/1.bin"], .pinned)
        let location = PartLocation(directory: "/none", folder: nil, name: "1.bin", index: 0, inode: 1, born: 0)
        let part = PartRecord(
            key: try #require(left[0].key),
            location: location,
            validator: .entityTag("\"1\""),
            total: nil,
            finalURL: origin.url("/1.bin")
        )
        let harness = try session(.standard, after: left, parts: [part], keeper)
        #expect(harness.wait { $0.changes(.suspended).count == 1 })
        harness.pipeline.send(.steer(.resume, .task(TaskID(1))))
        #expect(harness.wait { $0.taskEnds.count == 1 })
        try harness.shutDown()
        #expect(keeper.wait { $0.contains { if case .noPart(location) = $0 { true } else { false } } })
    }

    @Test func whatTheUserPausedStaysSoUnderAnyRules() throws {
        var left = try left(["/1"], .pinned)
        left[0].isPaused = true
        let harness = try session(.standard, after: left, keeper)
        #expect(harness.wait { $0.changes(.suspended).count == 1 })
        let reasons = try harness.shutDown().changes(.suspended).compactMap(\.reason)
        #expect(reasons == [Why.restoredUnderOtherTrust(reached: nil)])
        #expect(keeper.left.map(\.isPaused) == [true])
    }

    /// It would leave the queue, and be gone for a session under its own rules.
    @Test func whatFailedUnderTheRulesThatHoldNowDoesNotEndIt() throws {
        let left = try left(["/1"], .pinned)
        let url = origin.url("/1")
        let error = DownloadError(.badStatus, "404", status: 404)
        let failed = [FailedRecord(key: url, url: url, error: error, until: 1 << 40)]
        let harness = try session(.standard, after: left, failed: failed, keeper)
        #expect(harness.wait { $0.submissions.count == 1 })
        let outcomes = try harness.shutDown().submissions.map(\.outcome)
        #expect(outcomes == [.queued])
        #expect(keeper.left.count == 1)
    }

    @Test func whatAnEarlierVersionKeptGoesOn() throws {
        var left = try left(["/1"], .pinned)
        left[0].trust = nil
        let harness = try session(.standard, after: left, keeper)
        #expect(harness.wait { $0.taskEnds.count == 1 })
        #expect(try harness.shutDown().changes(.suspended).isEmpty)
    }
}
