import Glibc
import SluiceCore
import SluiceOrigin
import SluicePipeline
import SluiceTestSupport
import Testing

/// What is stored, where the origin fails or is overtaken while it is asked.
extension HTTPCachePipelineTests {
    /// How the origin fails that is asked whether a stale answer holds.
    enum Failing: CaseIterable {
        case cutOff
        case unendedChunks
        case noHTTP
        /// A 304 of another version first, and then nothing of use.
        case secondQuestion
        case closed
    }

    private static func stored(_ text: String, _ control: String) -> OriginResponse {
        var answer = OriginResponse.text(text)
        answer.headers += [HeaderField("Cache-Control", control), HeaderField("ETag", "\"\(text)\"")]
        return answer
    }

    /// - SeeAlso: RFC 5861 §4
    @Test(arguments: Failing.allCases)
    func aStaleAnswerStandsInForWhatFails(failing: Failing) throws {
        origin.route("/a.txt") { request, number in
            if number == 1 { return Self.stored("stored", "max-age=0, stale-if-error=1000") }
            var answer = OriginResponse(body: .pattern(count: 100))
            switch failing {
            case .cutOff: answer.fault = .close(after: 10)
            case .unendedChunks: (answer.framing, answer.fault) = (.chunked(), .close(after: .max))
            case .noHTTP: answer.fault = .raw(Array("nothing\r\n\r\n".utf8))
            case .closed: answer.fault = .noAnswer
            case .secondQuestion:
                let asksIfSame = request.header("If-None-Match") != nil
                answer = OriginResponse(asksIfSame ? 304 : 503, headers: [HeaderField("ETag", "\"other\"")])
            }
            return answer
        }
        let harness = try harness { $0.settings.retries = 0 }
        ask(harness, origin.url("/a.txt"), RequestOptions(saves: false))
        ask(harness, origin.url("/a.txt"))
        let events = try harness.finish()
        #expect(events.taskEnds.map(\.outcome) == [.success, .success])
        #expect(events.taskEnds.map(\.source) == [.network, .disk])
        #expect(harness.directory.contents(of: "a.txt") == Array("stored".utf8))
        #expect(harness.directory.names == ["a.txt"])
    }

    /// A large file would else never be a newer one, where each attempt breaks off.
    @Test(arguments: [true, false]) func whatWasBegunGoesOnBeforeAStaleAnswerStandsIn(comesBack: Bool) throws {
        let last = Locked<String?>(nil)
        origin.route("/a.bin") { request, number in
            if number == 1 { return Self.stored("stored", "max-age=0, stale-if-error=1000") }
            last.withLock { $0 = request.header("range") }
            if number > 2, !comesBack { return OriginResponse(503, headers: [HeaderField("Retry-After", "0")]) }
            var answer = OriginResponse.resource(.pattern(count: 700_000), for: request, etag: "\"new\"")
            if number == 2 { answer.fault = .close(after: 300_000) }
            return answer
        }
        let harness = try harness()
        ask(harness, origin.url("/a.bin"))
        ask(harness, origin.url("/a.bin"))
        let events = try harness.finish()
        #expect(events.taskEnds.map(\.outcome) == [.success, .success])
        #expect(events.taskEnds.map(\.source) == [.network, comesBack ? .network : .disk])
        #expect(last.withLock { $0 } == "bytes=300000-")
        #expect(harness.directory.contents(of: "a.bin")?.count == (comesBack ? 700_000 : 6))
    }

    /// What can't be read would else be asked for and fallen back on for ever.
    @Test func whatIsStoredAndCannotBeReadStandsInForNothing() throws {
        origin.route("/a.txt") { _, number in
            number == 1 ? Self.stored("stored", "max-age=0, stale-if-error=1000") : OriginResponse(500)
        }
        let first = try harness(saves: false)
        ask(first, origin.url("/a.txt"))
        try first.finish()
        let files = FileTree.leaves(below: cache.path)
        let body = try #require(files.first { FileTree.contents(of: $0) == Array("stored".utf8) })
        // A socket can't be opened, and so may be any file that the system has no means for just now.
        #expect(unsafe unlink(body) == 0 && mknod(body, S_IFSOCK | 0o600, 0) == 0)
        let second = try harness(saves: false) { $0.settings.retries = 0 }
        ask(second, origin.url("/a.txt"))
        let events = try second.finish()
        #expect(events.taskEnds.map(\.outcome) == [.failed] && events.taskEnds.map(\.status) == [500])
        #expect(origin.log.hits("/a.txt") == 3)
    }

    @Test(arguments: ["max-age=1000", "max-age=0, stale-while-revalidate=1000"])
    func whoJoinsBehindAnAnswerIsAnsweredByItWhereTheOriginFails(control: String) throws {
        origin.route("/a.txt") { _, number in number == 1 ? Self.stored("stored", control) : OriginResponse(500) }
        let harness = try harness { $0.settings.retries = 0 }
        ask(harness, origin.url("/a.txt"))
        origin.hold("/a.txt")
        let policies: [CachePolicy] = [.refresh, .protocol, .cacheElseLoad, .cacheOnly, .refresh]
        for (number, policy) in policies.enumerated() {
            harness.submit(origin.url("/a.txt"), options: RequestOptions(policy: policy))
            // The first one is answered, and asks behind itself.
            #expect(harness.wait { $0.submissions.count == 3 + number })
        }
        origin.release("/a.txt")
        let events = try harness.finish()
        #expect(events.submissions.map(\.outcome) == [.started, .cached, .started, .joined, .joined, .joined, .joined])
        #expect(events.receiptEnds.map(\.outcome) == Array(repeating: .success, count: 7))
        #expect(events.taskEnds.map(\.source) == [.network, .disk, .disk])
        #expect(events.warnings.count == 1)
    }

    /// Who wanted it anew has left, and the other would have had its answer from disk.
    @Test(arguments: [CachePolicy.reload, .revalidate])
    func whoJoinedSomebodyWhoLeftIsAnsweredByWhatIsStored(policy: CachePolicy) throws {
        origin.route("/a.txt") { _, number in
            number == 1 ? Self.stored("stored", "max-age=1000") : OriginResponse(500)
        }
        let harness = try harness { $0.settings.retries = 0 }
        ask(harness, origin.url("/a.txt"))
        origin.hold("/a.txt")
        for policy in [policy, .protocol] {
            harness.submit(origin.url("/a.txt"), options: RequestOptions(policy: policy))
        }
        #expect(harness.wait { $0.submissions.count == 3 })
        harness.pipeline.send(.cancel(ReceiptID(2)))
        #expect(harness.wait { $0.receiptEnds.count == 2 })
        origin.release("/a.txt")
        let events = try harness.finish()
        #expect(events.submissions.map(\.outcome) == [.started, .started, .joined])
        #expect(events.receiptEnds.map(\.outcome) == [.success, .cancelled, .success])
    }

    @Test func whoAsksTheOriginIsNotAnsweredByWhatIsStoredSinceOthersWouldBe() throws {
        origin.route("/a.txt") { _, number in
            number == 1 ? Self.stored("stored", "max-age=1000") : OriginResponse(500)
        }
        let harness = try harness { $0.settings.retries = 0 }
        ask(harness, origin.url("/a.txt"))
        origin.hold("/a.txt")
        for policy in [CachePolicy.revalidate, .cacheElseLoad] {
            harness.submit(origin.url("/a.txt"), options: RequestOptions(policy: policy))
        }
        #expect(harness.wait { $0.submissions.count == 3 })
        origin.release("/a.txt")
        let events = try harness.finish()
        #expect(events.receiptEnds.map(\.outcome) == [.success, .failed, .failed])
    }

    @Test func whatKeepsNothingAsksForNothingBehindIt() throws {
        origin.route("/a.txt", Self.stored("stored", "max-age=0, stale-while-revalidate=1000"))
        let harness = try harness()
        ask(harness, origin.url("/a.txt"))
        ask(harness, origin.url("/a.txt"), RequestOptions(stores: false))
        let events = try harness.finish()
        #expect(events.submissions.map(\.outcome) == [.started, .cached])
        #expect(origin.log.hits("/a.txt") == 1)
    }

    /// - SeeAlso: RFC 9111 §4.4
    @Test func whatWasAskedForBeforeItWasChangedIsNotStored() throws {
        origin.route("/d/a.txt", Self.stored("old", "max-age=1000"))
        origin.route("/d/form", OriginResponse(201, headers: [HeaderField("Location", "./b/../a.txt#new")]))
        origin.hold("/d/a.txt")
        let harness = try harness()
        harness.submit(origin.url("/d/a.txt"))
        #expect(harness.wait { $0.changes(.started).count == 1 })
        ask(harness, origin.url("/d/form"), RequestOptions(saves: false, method: "POST", body: []))
        origin.release("/d/a.txt")
        #expect(harness.wait { $0.taskEnds.count == 2 })
        ask(harness, origin.url("/d/a.txt"))
        let events = try harness.finish()
        #expect(events.taskEnds.map(\.source) == [.network, .network, .network])
        #expect(events.httpCache(.skipped).map(\.why).contains(.overtaken("POST")))
        #expect(events.httpCache(.stored).count == 1)
    }
}
