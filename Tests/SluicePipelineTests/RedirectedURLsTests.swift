import SluiceCore
import SluiceOrigin
import SluiceTestSupport
import Testing

@testable import SluicePipeline

/// Answers that came by a redirect, where the trust changes: who was trusted on the way is in no key.
@Suite(.timeLimit(.minutes(5)))
struct RedirectedURLsTests {
    @Test func aChangeTellsLaterKeysFromThoseBefore() {
        var urls = RedirectedURLs()
        urls.note("a")
        #expect(urls.mark(of: "a").isEmpty, "nothing changed yet")
        urls.trustChanged(underWay: ["b"])
        #expect(!urls.mark(of: "a").isEmpty && urls.mark(of: "a") == urls.mark(of: "b"))
        #expect(urls.mark(of: "c").isEmpty, "it led nowhere")
        urls.note("c")
        #expect(urls.mark(of: "c").isEmpty, "under the trust that holds")
        let first = urls.mark(of: "a")
        urls.trustChanged(underWay: [])
        #expect(urls.mark(of: "a") != first && urls.mark(of: "c") == urls.mark(of: "a"))
    }

    @Test func whereThereAreTooManyAllCount() {
        var urls = RedirectedURLs()
        for number in 0...RedirectedURLs.limit { urls.note("\(number)") }
        #expect(urls.mark(of: "x").isEmpty)
        urls.trustChanged(underWay: [])
        #expect(!urls.mark(of: "x").isEmpty)
    }

    /// Pins a host that a redirect might lead to; in force for what is submitted afterwards.
    private func change(_ harness: PipelineHarness) throws {
        let elsewhere = try #require(HostPattern("elsewhere.example"))
        harness.pipeline.ask(.changeTrust(.pin(elsewhere, [.key(sha256: Array(repeating: 7, count: 32))]))) { _ in }
    }

    @Test func whatWasTrustedBeforeAnswersNobodyAfterwards() throws {
        let origin = try Origin()
        origin.route("/r.png", .redirect(to: "/b.png", status: 302))
        for path in ["/b.png", "/a.png"] {
            origin.route(path, .bytes(Picture.png(width: 4, height: 3), type: "image/png"))
        }
        let harness = try PipelineHarness { $0.settings.decode = .always }
        for round in 1...3 {
            // A redirect over plain http may lead to any host.
            if round == 3 { try change(harness) }
            for path in ["/r.png", "/a.png"] { harness.submit(origin.url(path)) }
            #expect(harness.wait { $0.submissions.count == 2 * round && $0.taskEnds.count == [2, 2, 3][round - 1] })
        }
        try harness.finish()
        #expect(harness.events.submissions.map(\.source) == [nil, nil, .memory, .memory, nil, .memory])
        #expect(origin.log.hits("/r.png") == 2)
    }

    /// It may be redirected yet, by the trust that it began under.
    @Test func nobodyJoinsWhatBeganUnderAnotherTrust() throws {
        let origin = try Origin()
        origin.setFallback { _, _ in .text("text") }
        origin.hold()
        let harness = try PipelineHarness()
        harness.submit(origin.url("/a"))
        #expect(origin.waitUntil { $0.held == 1 })
        try change(harness)
        for _ in 1...2 { harness.submit(origin.url("/a")) }
        #expect(harness.wait { $0.submissions.count == 3 })
        origin.release()
        let events = try harness.finish()
        #expect(events.submissions.map(\.outcome) == [.started, .started, .joined])
        #expect(origin.log.hits("/a") == 2)
    }
}
