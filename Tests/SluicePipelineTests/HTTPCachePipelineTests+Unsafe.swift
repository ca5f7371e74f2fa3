import SluiceCore
import SluiceOrigin
import SluicePipeline
import SluiceTestSupport
import Testing

/// Requests that change what is stored, and then go wrong.
extension HTTPCachePipelineTests {
    /// How a request ends to which the origin has said that it was done.
    enum BadEnd: CaseIterable {
        case cutOff
        case tooLarge
        case redirectedToNothing
        /// Nobody answers there.
        case redirectedNowhere
    }

    /// - SeeAlso: RFC 9111 §4.4
    @Test(arguments: BadEnd.allCases, ["POST", "PUT"])
    func whatWasDoneMakesTheStoredAnswerWorthless(end: BadEnd, method: String) throws {
        let gone = try Origin()
        let nowhere = gone.url("/r")
        gone.close()
        origin.route("/a") { request, _ in
            if request.method == "GET" {
                var answer = OriginResponse.text("stored")
                answer.headers.append(HeaderField("Cache-Control", "max-age=86400"))
                return answer
            }
            switch end {
            case .cutOff:
                var answer = OriginResponse(body: .pattern(count: 100))
                answer.fault = .close(after: 10)
                return answer
            case .tooLarge: return OriginResponse(body: .pattern(count: 1001))
            case .redirectedToNothing: return .redirect(to: "/r", status: 303)
            case .redirectedNowhere: return .redirect(to: nowhere, status: 303)
            }
        }
        let harness = try harness(saves: false) { $0.settings.maxFileSize = 1000 }
        ask(harness, origin.url("/a"))
        ask(harness, origin.url("/a"), RequestOptions(method: method, body: Array("x".utf8)))
        ask(harness, origin.url("/a"))
        let events = try harness.finish()
        #expect(events.taskEnds.map(\.outcome) == [.success, .failed, .success])
        #expect(events.httpCache(.evicted).map(\.why) == [.invalidated(method)])
        #expect(origin.log.hits("/a") == 3)
    }

    /// Whatever headers it was asked for with, and whether there is a cache on disk.
    @Test(arguments: [true, false]) func imagesInMemoryOfEveryKeyGoWithTheStoredAnswer(stores: Bool) throws {
        let image = Picture.png(width: 4, height: 3)
        origin.route("/a.png") { request, _ in
            if request.method == "POST" { return .text("done") }
            var answer = OriginResponse.bytes(image, type: "image/png")
            answer.headers.append(HeaderField("Cache-Control", "max-age=86400"))
            return answer
        }
        let path = stores ? cache.path + "/cache" : nil
        let harness = try PipelineHarness(cache: path) { $0.settings.decode = .always }
        let options = RequestOptions(headers: [HeaderField("X-A", "1")])
        ask(harness, origin.url("/a.png"), options)
        ask(harness, origin.url("/a.png"), options)
        #expect(harness.events.submissions.last?.source == .memory)
        ask(harness, origin.url("/a.png"), RequestOptions(method: "POST", body: []))
        ask(harness, origin.url("/a.png"), options)
        let events = try harness.finish()
        #expect(origin.log.hits("/a.png") == 3)
        let removed = events.cacheChanges.filter { $0.verb == .removed }
        #expect(removed.map(\.why) == [.changedByRequest(method: "POST")])
    }

    @Test func whatIsAbortedWasDoneAllTheSame() throws {
        origin.route("/a") { request, _ in
            var answer = OriginResponse.text("stored")
            answer.headers.append(HeaderField("Cache-Control", "max-age=86400"))
            if request.method == "POST" { answer.fault = .stall(after: 1) }
            return answer
        }
        let harness = try harness(saves: false)
        ask(harness, origin.url("/a"))
        harness.submit(origin.url("/a"), options: RequestOptions(method: "POST", body: []))
        #expect(harness.wait { $0.responses.count == 2 })
        harness.pipeline.send(.steer(.abort, .task(TaskID(2))))
        #expect(harness.wait { $0.taskEnds.count == 2 })
        let events = try harness.finish()
        #expect(events.httpCache(.evicted).map(\.why) == [.invalidated("POST")])
    }

    @Test func whatSucceedsMakesItWorthlessOnce() throws {
        origin.route("/a") { request, _ in
            var answer = OriginResponse.text(request.method)
            answer.headers.append(HeaderField("Cache-Control", "max-age=86400"))
            return answer
        }
        let harness = try harness(saves: false)
        ask(harness, origin.url("/a"))
        ask(harness, origin.url("/a"), RequestOptions(method: "POST", body: []))
        let events = try harness.finish()
        #expect(events.httpCache(.evicted).map(\.why) == [.invalidated("POST")])
        let order = events.compactMap { event -> String? in
            switch event.kind {
            case .httpCacheChanged(let change) where change.verb == .evicted: "evicted"
            case .taskFinished: "finished"
            default: nil
            }
        }
        #expect(order == ["finished", "evicted", "finished"])
    }
}
