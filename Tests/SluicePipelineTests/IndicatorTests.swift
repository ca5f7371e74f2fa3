import SluiceCore
import SluiceOrigin
import SluicePipeline
import SluiceTestSupport
import Testing

/// The indicator as events report it, with delays far apart so that no machine is too slow for them.
@Suite(.timeLimit(.minutes(5)))
struct IndicatorTests {
    private let origin: Origin

    init() throws {
        origin = try Origin()
        origin.setFallback { _, _ in .text("fine") }
    }

    @Test func aLongRequestGoesThroughAllFourStates() throws {
        let harness = try PipelineHarness {
            $0.settings.activationDelay = .milliseconds(20)
            $0.settings.completionDelay = .milliseconds(20)
        }
        origin.hold()
        harness.submit(origin.url("/a"))
        #expect(harness.wait { $0.indicatorChanges.last?.to == .active })
        origin.release()
        #expect(harness.wait { $0.indicatorChanges.last?.to == .notActive })
        let changes = try harness.finish().indicatorChanges
        #expect(changes.map(\.to) == [.delayingStart, .active, .delayingEnd, .notActive])
        #expect(changes[1].t - changes[0].t >= 0.02)
        #expect(changes[3].t - changes[2].t >= 0.02)
    }

    @Test func aShortRequestNeverShowsIt() throws {
        let harness = try PipelineHarness { $0.settings.activationDelay = .seconds(3) }
        harness.submit(origin.url("/a"))
        #expect(harness.wait { $0.indicatorChanges.last?.to == .notActive })
        let changes = try harness.finish().indicatorChanges
        #expect(changes.map(\.to) == [.delayingStart, .notActive])
    }

    @Test func aShortGapDoesNotHideIt() throws {
        let harness = try PipelineHarness {
            $0.settings.activationDelay = .zero
            $0.settings.completionDelay = .seconds(30)
        }
        origin.hold("/a")
        harness.submit(origin.url("/a"))
        #expect(harness.wait { $0.indicatorChanges.last?.to == .active })
        origin.release("/a")
        #expect(harness.wait { $0.indicatorChanges.last?.to == .delayingEnd })
        origin.hold("/b")
        harness.submit(origin.url("/b"))
        #expect(harness.wait { $0.indicatorChanges.count == 4 })
        let changes = harness.events.indicatorChanges
        #expect(changes.map(\.to) == [.delayingStart, .active, .delayingEnd, .active])
        try harness.shutDown()
    }

    @Test func disablingHidesAtOnceAndEnablingLooksAfresh() throws {
        let harness = try PipelineHarness {
            $0.settings.activationDelay = .zero
            $0.settings.completionDelay = .zero
        }
        origin.hold()
        harness.submit(origin.url("/a"))
        #expect(harness.wait { $0.indicatorChanges.last?.to == .active })
        try harness.set("indicatorEnabled", "false")
        #expect(harness.wait { $0.indicatorChanges.last?.to == .notActive })
        try harness.set("indicatorEnabled", "true")
        #expect(harness.wait { $0.indicatorChanges.last?.to == .active })
        origin.release()
        #expect(harness.wait { $0.taskEnds.count == 1 && $0.indicatorChanges.last?.to == .notActive })
        let states = try harness.finish().indicatorChanges.map(\.to)
        #expect(
            states == [.delayingStart, .active, .notActive, .delayingStart, .active, .delayingEnd, .notActive]
        )
    }

    @Test func aDetachedTransferKeepsItOnToItsEnd() throws {
        origin.route("/a.png", .bytes(Picture.png(width: 4, height: 3), type: "image/png"))
        let harness = try PipelineHarness {
            $0.settings.activationDelay = .zero
            $0.settings.completionDelay = .zero
        }
        origin.hold()
        harness.submit(origin.url("/a.png"))
        #expect(harness.wait { $0.indicatorChanges.last?.to == .active })
        harness.pipeline.send(.cancel(ReceiptID(1)))
        #expect(harness.wait { $0.changes(.detached).count == 1 })
        origin.release()
        #expect(harness.wait { $0.taskEnds.count == 1 && $0.indicatorChanges.last?.to == .notActive })
        let order = try harness.finish().compactMap { event -> String? in
            switch event.kind {
            case .taskFinished: "finished"
            case .indicatorChanged(_, let to, _): to.rawValue
            default: nil
            }
        }
        #expect(order == ["delayingStart", "active", "finished", "delayingEnd", "notActive"])
    }

    @Test func askingWhetherWhatIsStoredStillHoldsShowsIt() throws {
        origin.route("/a") { request, _ in
            var answer = request.header("If-None-Match") == nil ? OriginResponse.text("fine") : OriginResponse(304)
            answer.headers += [HeaderField("ETag", "\"1\""), HeaderField("Cache-Control", "no-cache")]
            return answer
        }
        let cache = try TemporaryDirectory()
        let harness = try PipelineHarness(cache: cache.path + "/cache") {
            $0.settings.activationDelay = .zero
            $0.settings.completionDelay = .zero
        }
        harness.submit(origin.url("/a"))
        #expect(harness.wait { $0.taskEnds.count == 1 && $0.indicatorChanges.last?.to == .notActive })
        origin.hold()
        harness.submit(origin.url("/a"))
        #expect(harness.wait { $0.taskEnds.count == 1 && $0.indicatorChanges.last?.to == .active })
        origin.release()
        #expect(harness.wait { $0.taskEnds.count == 2 && $0.indicatorChanges.last?.to == .notActive })
        let events = try harness.finish()
        #expect(events.taskEnds.map(\.source) == [.network, .revalidated])
        #expect(events.indicatorChanges.suffix(4).map(\.to) == [.delayingStart, .active, .delayingEnd, .notActive])
    }

    @Test func cancelledQueuedTasksChangeNothing() throws {
        let harness = try PipelineHarness {
            $0.settings.maxActive = 1
            $0.settings.activationDelay = .zero
        }
        origin.hold()
        harness.submit((0..<5).map { origin.url("/\($0)") })
        #expect(harness.wait { $0.indicatorChanges.last?.to == .active })
        for receipt in 2...5 { harness.pipeline.send(.cancel(ReceiptID(receipt))) }
        #expect(harness.wait { $0.receiptEnds.count == 4 })
        #expect(harness.events.indicatorChanges.count == 2)
        origin.release()
        try harness.finish()
    }
}
