import SluiceCore
import SluiceOrigin
import SluicePipeline
import SluiceTestSupport
import Testing

/// Transfers that nobody waits for, and that no cache has room for.
extension HTTPCachePipelineTests {
    enum TooLarge: CaseIterable {
        /// The head says so.
        case announced
        /// Its bytes show it.
        case endless
        /// Its first bytes say how much its pixels take.
        case image
    }

    @Test(arguments: TooLarge.allCases, [true, false])
    func aDetachedBodyThatNoCacheHasRoomForGivesItsSlotBack(tooLarge: TooLarge, saves: Bool) throws {
        origin.route("/a") { _, _ in
            var answer = OriginResponse(body: .pattern(count: 8_000_000))
            answer.headers = [HeaderField("Cache-Control", "max-age=100")]
            switch tooLarge {
            case .announced: answer.fault = .stall(after: 5000)
            case .endless: (answer.framing, answer.fault) = (.chunked(), .stall(after: 2_000_000))
            case .image:
                answer.headers = [HeaderField("Cache-Control", "no-store"), HeaderField("Content-Type", "image/png")]
                answer.body = .bytes(Picture.png(width: 300, height: 200) + [UInt8](repeating: 0, count: 100_000))
                answer.fault = .stall(after: 50_000)
            }
            return answer
        }
        let harness = try harness(saves: saves) { configuration in
            configuration.settings.maxActive = 1
            configuration.settings.httpCapacity = 1_000_000
            (configuration.settings.cacheCapacity, configuration.settings.cachePreferred) = (200_000, 100_000)
        }
        harness.submit(origin.url("/a"))
        #expect(harness.wait { !$0.responses.isEmpty })
        harness.pipeline.send(.cancel(ReceiptID(1)))
        #expect(origin.waitUntil { $0.closes("/a").count == 1 })
        let events = try harness.finish()
        #expect(events.taskEnds.map(\.outcome) == [.cancelled] && events.taskEnds.map(\.receipts) == [0])
        #expect(harness.directory.names.isEmpty)
    }

    @Test(arguments: [true, false]) func nothingOfAnAbortedBodyIsStored(saves: Bool) throws {
        origin.route("/a") { _, number in
            var answer = OriginResponse(body: .pattern(count: 1_000_000))
            answer.headers = [HeaderField("Cache-Control", "max-age=100")]
            if number == 1 { answer.fault = .stall(after: 100_000) }
            return answer
        }
        let harness = try harness(saves: saves) { $0.settings.lastReceipt = .abort }
        harness.submit(origin.url("/a"))
        #expect(harness.wait { $0.contains { if case .taskProgress(_, 100_000, _) = $0.kind { true } else { false } } })
        harness.pipeline.send(.cancel(ReceiptID(1)))
        #expect(harness.wait { $0.taskEnds.count == 1 })
        ask(harness, origin.url("/a"))
        let events = try harness.finish()
        #expect(events.submissions.map(\.outcome) == [.started, .started])
        #expect(events.taskEnds.map(\.outcome) == [.cancelled, .success])
        #expect(events.httpCache(.stored).map(\.bytes) == [1_000_000])
    }

    /// There is nobody for whom it could wait.
    @Test func aDetachedAnswerFromDiskThatFindsNoRoomEnds() throws {
        origin.route("/a") { request, _ in
            var answer = OriginResponse.resource(
                .pattern(count: 3_000_000),
                for: request,
                etag: "\"1\"",
                lastModified: nil
            )
            answer.headers.append(HeaderField("Cache-Control", "no-cache"))
            return answer
        }
        let first = try harness(saves: false)
        ask(first, origin.url("/a"))
        try first.finish()

        let desk = FillingDisk.Desk()
        let harness = try PipelineHarness(files: FillingDisk(desk), cache: cache.path + "/cache") {
            $0.isDashboard = true
        }
        harness.submit(origin.url("/a"))
        desk.waitUntilWhole()
        #expect(origin.log.hits("/a") == 2)
        harness.pipeline.send(.cancel(ReceiptID(1)))
        #expect(harness.wait { $0.receiptEnds.count == 1 })
        desk.fill()
        harness.wake()
        #expect(harness.wait { $0.taskEnds.count == 1 })
        let events = try harness.finish()
        #expect(events.taskEnds.map(\.receipts) == [0] && events.changes(.waiting).isEmpty)
    }

    /// A capacity of 0 is none that anything could exceed.
    @Test func aDetachedImageFillsACacheWithoutALimit() throws {
        origin.route("/a.png") { _, _ in
            // What stands behind the picture comes in pieces of its own, between which its size is known.
            let bytes = Picture.png(width: 300, height: 200) + [UInt8](repeating: 0, count: 100_000)
            var answer = OriginResponse.bytes(bytes, type: "image/png")
            answer.headers.append(HeaderField("Cache-Control", "no-store"))
            answer.bytesPerSecond = 400_000
            return answer
        }
        origin.hold("/a.png")
        let harness = try harness(saves: false) { configuration in
            (configuration.settings.cacheCapacity, configuration.settings.cachePreferred) = (0, 0)
        }
        harness.submit(origin.url("/a.png"))
        #expect(origin.waitUntil { $0.held == 1 })
        harness.pipeline.send(.cancel(ReceiptID(1)))
        #expect(harness.wait { !$0.receiptEnds.isEmpty })
        origin.release()
        let events = try harness.finish()
        #expect(events.taskEnds.map(\.outcome) == [.success] && events.taskEnds.map(\.receipts) == [0])
        #expect(events.contains { if case .cacheChanged = $0.kind { true } else { false } })
    }

    /// The request alone says so, however long the server says nothing.
    @Test(arguments: ["POST", "HEAD", "GET"])
    func whatNoCacheMayKeepWhateverComesGivesItsSlotBack(method: String) throws {
        origin.route("/a", .text("late"))
        origin.hold("/a")
        origin.route("/b", .text("b"))
        let harness = try harness(saves: false) { configuration in
            (configuration.settings.maxActive, configuration.settings.decode) = (1, .never)
        }
        let options = RequestOptions(method: method, stores: method != "GET")
        harness.submit(origin.url("/a"), options: options)
        harness.submit(origin.url("/b"))
        #expect(origin.waitUntil { $0.held == 1 })
        harness.pipeline.send(.cancel(ReceiptID(1)))
        #expect(harness.wait { $0.taskEnds.count == 2 })
        origin.release()
        let events = try harness.finish()
        #expect(events.taskEnds.map(\.outcome) == [.cancelled, .success])
    }
}
