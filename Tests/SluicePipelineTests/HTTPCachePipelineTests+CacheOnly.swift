import SluiceCore
import SluiceOrigin
import SluicePipeline
import SluiceTestSupport
import Testing

/// Requests that only what is stored may answer.
extension HTTPCachePipelineTests {
    @Test func cacheOnlyNeverAsksTheNetwork() throws {
        origin.route("/a.txt", .text("stored"))
        let options = RequestOptions(policy: .cacheOnly)
        let first = try harness()
        ask(first, origin.url("/a.txt"), options)
        ask(first, origin.url("/a.txt"))
        ask(first, origin.url("/a.txt"), options)
        let events = try first.finish()
        #expect(events.submissions.map(\.outcome) == [.rejected, .started, .cached])
        #expect(events.submissions[0].error?.code == .notCached)
        #expect(origin.log.hits("/a.txt") == 1)
    }

    @Test func cacheOnlySaysWhyWhatIsStoredDoesNotAnswer() throws {
        origin.route("/a.txt", .text("stored"))
        let first = try harness()
        ask(first, origin.url("/a.txt"))
        ask(first, origin.url("/a.txt"), RequestOptions(policy: .cacheOnly, method: "HEAD"))
        let part = RequestOptions(headers: [HeaderField("Range", "bytes=0-2")], policy: .cacheOnly)
        ask(first, origin.url("/a.txt"), part)
        let sum = String(repeating: "0", count: 64)
        ask(first, origin.url("/a.txt"), RequestOptions(policy: .cacheOnly, sha256: sum))
        let errors = try first.finish().submissions.dropFirst().map(\.error)
        #expect(errors.map(\.?.code) == [.notCached, .notCached, .notCached])
        let beginnings = [
            "what is stored answers only a GET", "what is stored answers no request with", "a checksum is",
        ]
        for (error, beginning) in zip(errors, beginnings) { #expect(error?.message.hasPrefix(beginning) == true) }
        #expect(origin.log.hits("/a.txt") == 1)
    }

    /// Who asks for the network may be joined, and is not stood in for.
    @Test(arguments: [false, true]) func whatOnlyCacheOnlyIsLeftOfIsNotFetched(isPaused: Bool) throws {
        let harness = try harness { $0.settings.suspended = true }
        harness.submit(origin.url("/a"))
        for _ in 1...2 { harness.submit(origin.url("/a"), options: RequestOptions(policy: .cacheOnly)) }
        #expect(harness.wait { $0.submissions.count == 3 })
        if isPaused { harness.pipeline.send(.steer(.pause, .task(TaskID(1)))) }
        for receipt in [2, 1] { harness.pipeline.send(.cancel(ReceiptID(receipt))) }
        let events = try harness.finish()
        #expect(events.receiptEnds.map(\.receipt) == [2, 1, 3].map { ReceiptID($0) })
        #expect(events.receiptEnds.map(\.error?.code) == [.cancelled, .cancelled, .notCached])
        #expect(events.taskEnds.map(\.outcome) == [.failed] && origin.log.requests.isEmpty)
    }

    /// By the policy of the settings, too.
    @Test func aCancelledPrefetchLeavesNothingToFetch() throws {
        let harness = try harness { ($0.settings.suspended, $0.settings.policy) = (true, .cacheOnly) }
        let ahead = RequestOptions(policy: .reload)
        harness.pipeline.send(.prefetch([DownloadRequest(origin.url("/a"), options: ahead)]))
        #expect(harness.wait { $0.submissions.count == 1 })
        harness.submit(origin.url("/a"))
        #expect(harness.wait { $0.submissions.count == 2 })
        harness.pipeline.send(.cancelPrefetch(BatchID(1)))
        let events = try harness.finish()
        #expect(events.receiptEnds.map(\.error?.code) == [.cancelled, .notCached])
        #expect(origin.log.requests.isEmpty)
    }

    /// A stale answer would have been theirs without the one who joined them: it is asked about.
    @Test(arguments: [true, false]) func whatIsStoredAnswersWhomOnlyCacheOnlyIsLeftOf(stores: Bool) throws {
        var answer = OriginResponse.text("stale")
        answer.headers.append(HeaderField("Cache-Control", "max-age=0"))
        origin.route("/a", answer)
        let harness = try harness(saves: false)
        ask(harness, origin.url("/a"))
        harness.pipeline.send(.set(SettingChange(name: "suspended", value: .flag(true))))
        harness.submit(origin.url("/a"))
        harness.submit(origin.url("/a"), options: RequestOptions(policy: .cacheOnly, stores: stores))
        try expectThatOnlyTheSecondIsCancelled(harness)
    }

    /// Takes back who asked for the network, and lets the queue go on for who is left.
    private func expectThatOnlyTheSecondIsCancelled(_ harness: PipelineHarness) throws {
        #expect(harness.wait { $0.submissions.count == 3 })
        harness.pipeline.send(.cancel(ReceiptID(2)))
        harness.pipeline.send(.set(SettingChange(name: "suspended", value: .flag(false))))
        #expect(try harness.finish().receiptEnds.map(\.outcome) == [.success, .cancelled, .success])
    }

    /// Without a cache on disk, too.
    @Test func whatIsInMemoryKeepsAliveWhomItWouldHaveAnswered() throws {
        origin.route("/a.png", .bytes(Picture.png(width: 4, height: 3), type: "image/png"))
        let harness = try PipelineHarness { $0.settings.decode = .always }
        ask(harness, origin.url("/a.png"))
        harness.pipeline.send(.set(SettingChange(name: "suspended", value: .flag(true))))
        harness.submit(origin.url("/a.png"), options: RequestOptions(policy: .reload))
        harness.submit(origin.url("/a.png"), options: RequestOptions(policy: .cacheOnly))
        try expectThatOnlyTheSecondIsCancelled(harness)
    }

    /// Who chooses another policy may try again what the one before forbade.
    @Test func whatTheSettingForbadeIsTriedAgainUnderAnother() throws {
        origin.route("/a", .text("text"))
        let harness = try harness(saves: false) { ($0.settings.suspended, $0.settings.policy) = (true, .cacheOnly) }
        harness.submit(origin.url("/a"), options: RequestOptions(policy: .reload))
        harness.submit(origin.url("/a"))
        #expect(harness.wait { $0.submissions.count == 2 })
        harness.pipeline.send(.cancel(ReceiptID(1)))
        #expect(harness.wait { $0.taskEnds.map(\.error?.code) == [.notCached] })
        harness.pipeline.send(.set(SettingChange(name: "policy", value: .word("protocol"))))
        harness.pipeline.send(.set(SettingChange(name: "suspended", value: .flag(false))))
        harness.pipeline.send(.steer(.retry, .task(TaskID(1))))
        #expect(harness.wait { $0.taskEnds.count == 2 })
        #expect(try harness.finish().taskEnds.last?.outcome == .success)
    }

    /// What is stored for others is none of theirs.
    @Test func whatAnswersOthersKeepsNothingAlive() throws {
        var answer = OriginResponse.text("varied")
        answer.headers += [HeaderField("Cache-Control", "max-age=0"), HeaderField("Vary", "X-A")]
        origin.route("/a", answer)
        let harness = try harness(saves: false)
        ask(harness, origin.url("/a"), RequestOptions(headers: [HeaderField("X-A", "1")]))
        harness.pipeline.send(.set(SettingChange(name: "suspended", value: .flag(true))))
        harness.submit(origin.url("/a"))
        harness.submit(origin.url("/a"), options: RequestOptions(policy: .cacheOnly))
        #expect(harness.wait { $0.submissions.count == 3 })
        harness.pipeline.send(.cancel(ReceiptID(2)))
        let events = try harness.finish()
        #expect(events.receiptEnds.map(\.error?.code) == [nil, .cancelled, .notCached])
        #expect(origin.log.hits("/a") == 1)
    }

    /// A change of the settings is for requests to come.
    @Test func whatWasPausedGoesOnThoughTheSettingForbidsTheNetworkNow() throws {
        origin.route("/a", .text("text"))
        let harness = try harness(saves: false) { $0.settings.suspended = true }
        harness.submit(origin.url("/a"))
        #expect(harness.wait { $0.submissions.count == 1 })
        harness.pipeline.send(.steer(.pause, .task(TaskID(1))))
        harness.pipeline.send(.set(SettingChange(name: "policy", value: .word("cacheOnly"))))
        harness.pipeline.send(.set(SettingChange(name: "suspended", value: .flag(false))))
        harness.pipeline.send(.steer(.resume, .task(TaskID(1))))
        #expect(try harness.finish().taskEnds.map(\.outcome) == [.success])
    }

    @Test func aWaitEndsWhereOnlyCacheOnlyIsLeft() throws {
        origin.route("/a", OriginResponse(503, headers: [HeaderField("Retry-After", "120")]))
        let harness = try harness()
        harness.submit(origin.url("/a"))
        #expect(harness.wait { $0.changes(.waiting).count == 1 })
        harness.submit(origin.url("/a"), options: RequestOptions(policy: .cacheOnly))
        #expect(harness.wait { $0.submissions.count == 2 })
        harness.pipeline.send(.cancel(ReceiptID(1)))
        let events = try harness.finish()
        #expect(events.receiptEnds.map(\.error?.code) == [.cancelled, .notCached])
        #expect(events.taskEnds.map(\.status) == [503] && origin.log.hits("/a") == 1)
    }

    /// Runs a task that is left to a `cacheOnly` request which joined it.
    private func harnessLeftToCacheOnly() throws -> PipelineHarness {
        origin.hold()
        let harness = try harness()
        harness.submit(origin.url("/a"))
        #expect(origin.waitUntil { $0.held == 1 })
        harness.submit(origin.url("/a"), options: RequestOptions(policy: .cacheOnly))
        #expect(harness.wait { $0.submissions.count == 2 })
        harness.pipeline.send(.cancel(ReceiptID(1)))
        #expect(harness.wait { $0.receiptEnds.count == 1 })
        return harness
    }

    @Test(arguments: [false, true]) func whatRunsAnswersCacheOnlyAndIsAskedForOnce(fails: Bool) throws {
        var answer = OriginResponse.text("late")
        if fails { answer.fault = .noAnswer }
        origin.route("/a", answer)
        let harness = try harnessLeftToCacheOnly()
        origin.release()
        let events = try harness.finish()
        let code: DownloadError.Code? = fails ? .connectionLost : nil
        #expect(events.taskEnds.map(\.error?.code) == [code])
        #expect(events.changes(.waiting).isEmpty && origin.log.hits("/a") == 1)
    }

    @Test func whatWasPausedIsNotAskedForOnceMoreForCacheOnly() throws {
        origin.route("/a", .text("late"))
        let harness = try harnessLeftToCacheOnly()
        harness.pipeline.send(.steer(.pause, .task(TaskID(1))))
        harness.pipeline.send(.steer(.resume, .task(TaskID(1))))
        #expect(harness.wait { $0.taskEnds.count == 1 })
        origin.release()
        let events = try harness.finish()
        #expect(events.taskEnds.map(\.error?.code) == [.notCached])
        #expect(events.changes(.resumed).isEmpty && origin.log.hits("/a") == 1)
    }

    private static let onlyIfCached = HeaderField("Cache-Control", "only-if-cached")

    /// - SeeAlso: RFC 9111 §5.2.1.7
    @Test func onlyIfCachedNeverAsksTheNetworkEither() throws {
        origin.route("/a.txt", .text("stored"))
        let fields = [Self.onlyIfCached]
        let refused = [
            RequestOptions(headers: fields, policy: .reload),
            RequestOptions(headers: fields, sha256: String(repeating: "0", count: 64)),
            RequestOptions(headers: fields + [HeaderField("Range", "bytes=0-2")]),
            RequestOptions(headers: fields, method: "POST", body: []),
        ]
        let harness = try harness()
        ask(harness, origin.url("/a.txt"))
        for options in refused { ask(harness, origin.url("/a.txt"), options) }
        let errors = try harness.finish().submissions.dropFirst().map(\.error)
        #expect(errors.map(\.?.code) == [.notCached, .notCached, .notCached, .notCached])
        #expect(errors.allSatisfy { $0?.message.hasSuffix("only-if-cached forbids the network") == true })
        #expect(origin.log.hits("/a.txt") == 1)
    }

    @Test func onlyIfCachedForAllHostsHoldsWithoutACacheToo() throws {
        origin.route("/a.txt", .text("there"))
        let harness = try PipelineHarness { $0.hostRules.headers = [Self.onlyIfCached] }
        ask(harness, origin.url("/a.txt"))
        let events = try harness.finish()
        #expect(events.submissions.map(\.error?.code) == [.notCached])
        #expect(origin.log.requests.isEmpty)
    }

    @Test(arguments: [false, true]) func onlyIfCachedIsNotRefreshedBehindItsAnswer(isInMemory: Bool) throws {
        let image = Picture.png(width: 30, height: 20)
        let answer = isInMemory ? OriginResponse.bytes(image, type: "image/png") : OriginResponse.text("stored")
        origin.route("/a", answer)
        let first = try harness(saves: false)
        ask(first, origin.url("/a"))
        try first.finish()
        let second = try harness(saves: false) { $0.hostRules.headers = [Self.onlyIfCached] }
        let options = RequestOptions(policy: .refresh)
        for _ in 1...(isInMemory ? 2 : 1) { ask(second, origin.url("/a"), options) }
        let events = try second.finish()
        #expect(events.submissions.map(\.source) == (isInMemory ? [.disk, .memory] : [.disk]))
        #expect(origin.log.hits("/a") == 1)
    }
}
