import SluiceCore
import SluiceOrigin
import SluicePipeline
import SluiceSystem
import SluiceTestSupport
import Testing

/// Failures, retries and the failed list.
@Suite(.timeLimit(.minutes(5)))
struct FailureTests {
    private let origin: Origin

    init() throws { origin = try Origin() }

    @Test(arguments: [
        "99999999999999999999", "9223372036854775808", "9223372036854775807", "Fri, 31 Dec 9999 23:59:59 GMT",
    ])
    func whoAsksToWaitForEverFails(value: String) throws {
        origin.route("/later", OriginResponse(503, headers: [HeaderField("Retry-After", value)]))
        let harness = try PipelineHarness()
        harness.submit(origin.url("/later"))
        let events = try harness.finish()
        #expect(events.changes(.waiting).isEmpty)
        #expect(events.taskEnds.first?.error?.message.contains("come back in more than 99 years") == true)
    }

    @Test(arguments: ["-1", "1e9", "soon", ""]) func aWaitThatIsNoneIsIgnored(value: String) throws {
        origin.route("/later") { _, number in
            number == 1 ? OriginResponse(503, headers: [HeaderField("Retry-After", value)]) : .text("at last")
        }
        let harness = try PipelineHarness()
        harness.submit(origin.url("/later"))
        let events = try harness.finish()
        #expect(events.changes(.waiting).map(\.delay) == [.milliseconds(250)])
        #expect(events.taskEnds.map(\.outcome) == [.success])
    }

    @Test func aTemporaryFailureWaitsWithoutASlotAndSucceeds() throws {
        origin.route("/flaky") { _, number in
            number < 3 ? OriginResponse(503, headers: [HeaderField("Retry-After", "0")]) : .text("at last")
        }
        let harness = try PipelineHarness { $0.settings.maxActive = 1 }
        harness.submit(origin.url("/flaky"))
        let events = try harness.finish()
        #expect(origin.log.hits("/flaky") == 3)
        #expect(events.changes(.waiting).count == 2)
        #expect(events.changes(.waiting).allSatisfy { $0.active == 0 || $0.active == 1 })
        #expect(events.changes(.started).count == 1)
        #expect(events.changes(.resumed).map(\.attempt) == [2, 3])
        #expect(events.taskEnds.map(\.outcome) == [.success])
    }

    @Test func retriesEndAndTheLastErrorIsTheFailure() throws {
        origin.route("/down", OriginResponse(500, body: .bytes(Array("it is broken".utf8))))
        let harness = try PipelineHarness { $0.settings.retries = 1 }
        harness.submit(origin.url("/down"))
        let events = try harness.finish()
        #expect(origin.log.hits("/down") == 2)
        let end = try #require(events.taskEnds.first)
        #expect(end.outcome == .failed)
        #expect(end.error?.code == .badStatus)
        #expect(end.error?.status == 500)
        #expect(end.error?.body == "it is broken")
    }

    @Test func onlyTheStartOfARefusalIsKept() throws {
        let page = [UInt8](repeating: UInt8(ascii: "x"), count: 5000)
        origin.route("/gone", OriginResponse(404, body: .bytes(page)))
        let harness = try PipelineHarness()
        harness.submit(origin.url("/gone"))
        let events = try harness.finish()
        #expect(events.taskEnds.map { $0.error?.body?.utf8.count } == [4096])
    }

    @Test func aHostWithoutAnAddressIsTriedAgainOnlyIfItMayHaveOneLater() throws {
        for mayResolveLater in [true, false] {
            let asked = Locked<[String]>([])
            let harness = try PipelineHarness(failure: DeadNetwork.nameless) { configuration in
                configuration.settings.retries = 1
                configuration.mayResolveLater = { host in
                    asked.withLock { $0.append(host) }
                    return mayResolveLater
                }
            }
            harness.submit("http://nameless.example/")
            let events = try harness.finish()
            #expect(asked.withLock { $0 } == Array(repeating: "nameless.example", count: mayResolveLater ? 2 : 1))
            #expect(events.changes(.waiting).count == (mayResolveLater ? 1 : 0))
            #expect(events.taskEnds.first?.error?.code == .hostNotFound)
        }
    }

    /// A resolver that is silent keeps its own threads, and is asked once for each host.
    @Test func whoLooksUpHostsKeepsNobodyFromDecoding() throws {
        let asked = Locked<[String]>([])
        let gate = Doorbell(waits: true)
        let picture = "data:image/png;base64," + Base64.encode(Picture.png(width: 3, height: 2))
        let harness = try PipelineHarness(failure: DeadNetwork.nameless) { configuration in
            (configuration.settings.retries, configuration.settings.maxActive) = (1, 10)
            configuration.mayResolveLater = { host in
                asked.withLock { $0.append(host) }
                gate.answer()
                gate.ring()
                return false
            }
        }
        for host in ["a", "b", "c"] { harness.submit("http://\(host).example/1", "http://\(host).example/2") }
        harness.submit(picture)
        #expect(harness.wait { $0.taskEnds.contains { $0.outcome == .success } })
        #expect(harness.events.taskEnds.count == 1)
        gate.ring()
        let events = try harness.finish()
        #expect(asked.withLock { $0.sorted() } == ["a.example", "b.example", "c.example"])
        #expect(events.taskEnds.count == 7)
    }

    /// The small body comes with its head, in one read or just after it, which is chance; the large one takes more.
    @Test(arguments: [3, 70_000])
    func bytesBehindTheAnnouncedOnesAreDroppedWithAWarning(size: Int) throws {
        for header in Array(repeating: "keep-alive", count: 10) + ["close"] {
            let body = Array(repeating: UInt8(ascii: "1"), count: size) + Array("surplus".utf8)
            var response = OriginResponse(200, headers: [HeaderField("Connection", header)], body: .bytes(body))
            response.declaredLengths = ["\(size)"]
            origin.route("/long", response)
            origin.route("/plain", .text("as announced"))
            let harness = try PipelineHarness()
            harness.submit(origin.url("/long"), origin.url("/plain"))
            let events = try harness.finish()
            let warnings = events.compactMap { event -> TaskID? in
                if case .warning(.extraBytes, _, let task) = event.kind { task } else { nil }
            }
            #expect(warnings == [TaskID(1)])
            #expect(events.taskEnds.first { $0.task == TaskID(1) }?.bytes == size)
            #expect(events.taskEnds.allSatisfy { $0.outcome == .success })
        }
    }

    /// One whose page breaks off, or is not packed as it is said to be.
    @Test(arguments: [true, false]) func aStatusCountsHoweverItsPageEnds(isCut: Bool) throws {
        func refusal(_ status: Int) -> OriginResponse {
            let fields = [HeaderField("Retry-After", "120")] + (isCut ? [] : [HeaderField("Content-Encoding", "gzip")])
            let page = Array(repeating: UInt8(ascii: "x"), count: 1000)
            var answer = OriginResponse(status, headers: fields, body: .bytes(page))
            if isCut { answer.fault = .close(after: 5) }
            return answer
        }
        let busy = refusal(503)
        origin.route("/gone", refusal(404))
        origin.route("/busy") { _, number in number == 1 ? busy : .text("at last") }
        let harness = try PipelineHarness()
        harness.submit(origin.url("/gone"))
        #expect(harness.wait { $0.taskEnds.count == 1 })
        harness.submit(origin.url("/gone"), origin.url("/busy"))
        #expect(harness.wait { !$0.changes(.waiting).isEmpty })
        harness.pipeline.send(.steer(.retry, .task(try #require(harness.events.changes(.waiting).first?.task))))
        let events = try harness.finish()
        let gone = try #require(events.taskEnds.first?.error)
        #expect(gone.code == .badStatus && gone.status == 404 && gone.body == (isCut ? "xxxxx" : nil))
        #expect(events.submissions[1].error?.code == .previouslyFailed)
        #expect(events.changes(.waiting).map(\.delay) == [.seconds(120)])
        #expect(events.taskEnds.map(\.outcome) == [.failed, .success])
        #expect(origin.log.hits("/gone") == 1 && origin.log.hits("/busy") == 2)
    }

    @Test func aLongRetryAfterIsAFailureThatSaysWhen() throws {
        origin.route("/later", OriginResponse(503, headers: [HeaderField("Retry-After", "3600")]))
        let harness = try PipelineHarness()
        harness.submit(origin.url("/later"))
        let events = try harness.finish()
        #expect(origin.log.hits("/later") == 1)
        #expect(events.taskEnds.first?.outcome == .failed)
        #expect(events.changes(.waiting).isEmpty)
    }

    @Test func permanentFailuresAreRememberedForListsAndNotForNames() throws {
        origin.route("/gone", OriginResponse(404))
        let harness = try PipelineHarness()
        harness.submit(origin.url("/gone"))
        #expect(harness.wait { $0.taskEnds.count == 1 })
        harness.submit(origin.url("/gone"))
        #expect(harness.wait { $0.submissions.count == 2 })
        harness.pipeline.send(.submit([DownloadRequest(origin.url("/gone"), source: .prompt)]))
        #expect(harness.wait { $0.taskEnds.count == 2 })
        // A line of several is a list, typed or not.
        harness.pipeline.send(.submit([DownloadRequest(origin.url("/gone"), source: .promptLine)]))
        let events = try harness.finish()
        #expect(events.submissions[3].outcome == .rejected)
        #expect(events.submissions[1].outcome == .rejected)
        #expect(events.submissions[1].error?.code == .previouslyFailed)
        #expect(events.submissions[2].outcome == .started)
        #expect(origin.log.hits("/gone") == 2)
    }

    @Test func whatIsGoneForGoodAndWhatIsNoImageAreRemembered() throws {
        origin.route("/gone", OriginResponse(410))
        origin.route("/broken.png", Self.brokenImage)
        let urls = ["/gone", "/broken.png"].map { origin.url($0) }
        let harness = try PipelineHarness()
        harness.submit(urls)
        #expect(harness.wait { $0.taskEnds.count == 2 })
        harness.submit(urls)
        harness.pipeline.send(.prefetch(urls.map { DownloadRequest($0) }))
        let events = try harness.finish()
        #expect(Set(events.taskEnds.map { $0.error?.code }) == [.badStatus, .badImage])
        #expect(events.submissions.count == 6)
        #expect(events.submissions.dropFirst(2).allSatisfy { $0.error?.code == .previouslyFailed })
        #expect(origin.log.requests.count == 2)
    }

    @Test(arguments: [
        ("decode", "never", true), ("maxPixels", "5000", true), ("acceptOnly", "image", true),
        ("maxActive", "5", false),
    ])
    func aSettingThatJudgesImagesForgetsThoseThatFailed(name: String, value: String, forgets: Bool) throws {
        origin.route("/broken.png", Self.brokenImage)
        let harness = try PipelineHarness()
        harness.submit(origin.url("/broken.png"))
        #expect(harness.wait { $0.taskEnds.map(\.error?.code) == [.badImage] })
        try harness.set(name, value)
        harness.submit(origin.url("/broken.png"))
        let events = try harness.finish()
        #expect(events.submissions.map(\.outcome) == [.started, forgets ? .started : .rejected])
    }

    /// The first half of one, which is all that is announced.
    private static var brokenImage: OriginResponse {
        let image = Picture.png(width: 60, height: 60)
        return .bytes(Array(image.prefix(image.count / 2)), type: "image/png")
    }

    /// Whatever was sent with the requests; and nothing is asked for by it.
    @Test func whatIsForgottenIsAskedForByListsAgain() throws {
        for path in ["/a", "/b", "/c"] { origin.route(path, OriginResponse(404)) }
        let urls = ["/a", "/b", "/c"].map { origin.url($0) }
        let headers = RequestOptions(headers: [HeaderField("X-Way", "other")])
        let harness = try PipelineHarness()
        harness.submit(urls)
        harness.submit([urls[0]], options: headers)
        #expect(harness.wait { $0.taskEnds.count == 4 })
        harness.pipeline.send(.forgetFailure(urls[0]))
        harness.pipeline.send(.forgetFailure(origin.url("/other")))
        harness.submit(urls)
        harness.submit([urls[0]], options: headers)
        #expect(harness.wait { $0.taskEnds.count == 6 })
        harness.pipeline.send(.forgetFailures)
        harness.submit([urls[2]])
        let events = try harness.finish()
        let outcomes = events.submissions.dropFirst(4).map(\.outcome)
        #expect(outcomes == [.started, .rejected, .rejected, .started, .started])
        #expect(["/a", "/b", "/c"].map { origin.log.hits($0) } == [4, 1, 2])
    }

    @Test(
        arguments: [
            ("noAnswer", OriginResponse.Fault.noAnswer, DownloadError.Code.connectionLost),
            ("notHTTP", .raw(Array("hello there, this is no HTTP at all\r\n\r\n".utf8)), .badResponse),
            ("cut", .close(after: 100), .truncated),
        ]
    )
    func faultsHaveTheirCodes(name: String, fault: OriginResponse.Fault, code: DownloadError.Code) throws {
        origin.route("/fault") { _, _ in
            var answer = OriginResponse(body: .pattern(count: 1000))
            answer.fault = fault
            return answer
        }
        let harness = try PipelineHarness { $0.settings.retries = 0 }
        harness.submit(origin.url("/fault"))
        let events = try harness.finish()
        #expect(events.taskEnds.map { $0.error?.code } == [code])
    }

    @Test func badURLsAreRejectedWithACure() throws {
        let harness = try PipelineHarness()
        harness.submit("example.com/a.png", "ftp://example.com/a", "http://", "")
        let events = try harness.finish()
        #expect(events.submissions.count == 4)
        #expect(events.submissions.allSatisfy { $0.outcome == .rejected && $0.error?.code == .badURL })
        #expect(events.submissions[0].error?.message.contains("https://example.com/a.png") == true)
    }

    @Test func aPasswordIsNotShownHoweverTheURLIsMisspelt() throws {
        let harness = try PipelineHarness()
        let texts = ["http:/bob:pw@h/x", "htps//bob:pw@h/x", "http:///bob:pw@h/x", "ftp://bob:pw@h/x", "bob:pw@h/x"]
        harness.submit(texts)
        let events = try harness.finish()
        #expect(events.submissions.count == texts.count)
        for news in events.submissions {
            #expect(!news.url.contains("pw"))
            #expect(news.error?.message.contains("pw") == false)
        }
    }

    @Test func absurdTimesFromServersAreHarmless() throws {
        origin.route("/later", OriginResponse(503, headers: [HeaderField("Retry-After", "99999999999")]))
        origin.route(
            "/much-later",
            OriginResponse(503, headers: [HeaderField("Retry-After", "Fri, 31 Dec 9999 23:59:59 GMT")])
        )
        let harness = try PipelineHarness(saves: true)
        origin.route("/dated") { _, _ in
            var answer = OriginResponse.text("fine")
            answer.headers.append(HeaderField("Last-Modified", "Fri, 31 Dec 9999 23:59:59 GMT"))
            return answer
        }
        harness.submit(origin.url("/later"), origin.url("/much-later"), origin.url("/dated"))
        let events = try harness.finish()
        #expect(events.taskEnds.count == 3)
        #expect(events.taskEnds.count { $0.outcome == .failed } == 2)
        #expect(harness.directory.names == ["dated"])
    }

    @Test func failuresFreeTheirSlotsForTheRestAtOnce() throws {
        let harness = try PipelineHarness {
            $0.settings.retries = 0
            $0.settings.indicatorEnabled = false
            $0.settings.timeout = .zero
        }
        // Refused before a connection is tried, so nothing but the queue itself can wake the loop.
        harness.submit((1...40).map { "http://255.255.255.255/\($0)" })
        let events = try harness.finish()
        #expect(events.taskEnds.count == 40)
    }

    /// What is asked to be done is not sent again where a connection that was kept dies.
    @Test(arguments: ["POST", "PUT", "PATCH", "DELETE"]) func whatMayDoHarmIsSentOnce(method: String) throws {
        origin.route("/ok", .text("fine"))
        var lost = OriginResponse(200)
        lost.fault = .noAnswer
        origin.route("/pay", lost)
        let harness = try PipelineHarness { $0.settings.maxActive = 1 }
        let options = RequestOptions(method: method, body: Array("amount=100".utf8))
        harness.submit(origin.url("/ok"))
        harness.submit(origin.url("/pay"), options: options)
        let events = try harness.finish()
        #expect(events.taskEnds.map(\.error?.code) == [nil, .connectionLost])
        #expect(origin.log.hits("/pay") == 1)
    }

    @Test func whatOnlyLooksIsSentAgain() throws {
        origin.route("/a") { _, number in
            var answer = OriginResponse.text("fine")
            if number == 1 { answer.fault = .noAnswer }
            return answer
        }
        let harness = try PipelineHarness()
        harness.submit(origin.url("/a"), options: RequestOptions(method: "HEAD"))
        let events = try harness.finish()
        #expect(events.taskEnds.map(\.outcome) == [.success])
        #expect(events.changes(.waiting).count == 1 && origin.log.hits("/a") == 2)
        // It announces the body that a GET would bring, and brings none.
        let announced = events.contains { event in
            if case .taskProgress(_, _, let expected) = event.kind { expected != nil } else { false }
        }
        #expect(!announced)
    }

    @Test func cacheOnlyNeverAsksTheOrigin() throws {
        let harness = try PipelineHarness()
        harness.submit(origin.url("/a"), options: RequestOptions(policy: .cacheOnly))
        let events = try harness.finish()
        #expect(events.submissions.first?.error?.code == .notCached)
        #expect(origin.log.requests.isEmpty)
    }

    @Test func acceptOnlyImageDoesNotWaitForMoreThanItNeeds() throws {
        origin.route("/news") { _, _ in .stream(after: 20) }
        let harness = try PipelineHarness { $0.settings.acceptOnly = .image }
        harness.submit(origin.url("/news"))
        #expect(harness.wait { $0.taskEnds.count == 1 })
        let events = try harness.finish()
        #expect(events.taskEnds.map(\.error?.code) == [.unacceptableContentType])
    }

    @Test func acceptOnlyImageJudgesTheBytes() throws {
        let image = Picture.png(width: 8, height: 8)
        origin.route("/image-as-text", .bytes(image, type: "text/plain"))
        origin.route("/text-as-image", .text("no image", type: "image/png"))
        origin.route("/text", .text("no image"))
        let harness = try PipelineHarness { $0.settings.acceptOnly = .image }
        harness.submit(origin.url("/image-as-text"), origin.url("/text-as-image"), origin.url("/text"))
        let events = try harness.finish()
        let codes = Dictionary(uniqueKeysWithValues: events.taskEnds.map { ($0.url, $0.error?.code) })
        #expect(codes[origin.url("/image-as-text")] == .some(nil))
        #expect(codes[origin.url("/text-as-image")] == .badImage)
        #expect(codes[origin.url("/text")] == .unacceptableContentType)
    }
}
