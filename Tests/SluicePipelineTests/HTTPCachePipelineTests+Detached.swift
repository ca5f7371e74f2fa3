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
}
