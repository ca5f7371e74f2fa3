import SluiceCore
import SluiceOrigin
import SluiceTestSupport
import Testing

@testable import SluicePipeline

/// Answers that came by a redirect, where the trust changes: who was trusted on the way is in no key.
@Suite(.timeLimit(.minutes(5)))
struct RedirectedURLsTests {
    private let strict = TrustBook.standard
    private let pinned: TrustBook

    init() throws {
        let elsewhere = try #require(HostPattern("elsewhere.example"))
        pinned = try strict.changed(by: .pin(elsewhere, [.key(sha256: Array(repeating: 7, count: 32))]))
    }

    private func head(_ url: String, redirects: Int = 1) -> ResponseHead {
        var head = ResponseHead(status: 200, finalURL: url)
        (head.redirects, head.hops) = (redirects, [RedirectHop(status: 302, url: url)])
        return head
    }

    @Test func aChangeTellsLaterKeysFromThoseBefore() {
        var urls = RedirectedURLs()
        urls.note("led", head("https://elsewhere.example/b"), strict)
        urls.note("else", head("https://another.example/b"), strict)
        urls.note("far", head("https://another.example/b", redirects: 20), strict)
        urls.noteUnderWay("runs", strict)
        for url in ["led", "else", "far", "runs", "other"] { #expect(urls.mark(of: url, strict).isEmpty) }
        let marks = ["led", "far", "runs"].map { urls.mark(of: $0, pinned) }
        #expect(Set(marks).count == 1 && marks.allSatisfy { !$0.isEmpty })
        #expect(urls.mark(of: "other", pinned).isEmpty, "it led nowhere")
        #expect(urls.mark(of: "else", pinned).isEmpty, "where it led nothing changed")
        urls.note("led", head("https://elsewhere.example/b"), pinned)
        #expect(urls.mark(of: "led", strict).isEmpty, "what came at first is of that trust")
        urls.note("new", head("https://elsewhere.example/b"), pinned)
        #expect(urls.mark(of: "new", pinned).isEmpty && !urls.mark(of: "new", strict).isEmpty)
    }

    /// A URL leads to one mirror, and then to another.
    @Test func allPlacesCountThatAnswersOfOneKeyCameBy() {
        var urls = RedirectedURLs()
        urls.note("u", head("https://another.example/b"), strict)
        #expect(urls.mark(of: "u", pinned).isEmpty)
        urls.note("u", head("https://elsewhere.example/b"), strict)
        #expect(!urls.mark(of: "u", pinned).isEmpty)

        urls.note("v", head("https://another.example/b"), strict)
        urls.note("v", head("https://elsewhere.example/b"), pinned)
        #expect(!urls.mark(of: "v", strict).isEmpty, "what came under the other trust is there by the same key")
        urls.note("x", head("https://another.example/b"), strict)
        urls.note("x", head("https://another.example/c"), pinned)
        #expect(urls.mark(of: "x", pinned).isEmpty && urls.mark(of: "x", strict).isEmpty, "judged alike both times")
        urls.note("w", head("https://another.example/b"), strict)
        urls.noteUnderWay("w", strict)
        #expect(urls.mark(of: "w", strict).isEmpty && !urls.mark(of: "w", pinned).isEmpty)
    }

    @Test func whereThereAreTooManyAllCount() {
        var urls = RedirectedURLs()
        for number in 0...RedirectedURLs.limit { urls.note("\(number)", head("https://another.example/"), strict) }
        #expect(urls.mark(of: "x", strict).isEmpty && !urls.mark(of: "x", pinned).isEmpty)
        #expect(urls.mark(of: "1", pinned).isEmpty)
    }

    /// Pins a host; in force for what is submitted afterwards.
    private func change(_ harness: PipelineHarness, _ host: String) throws {
        let pattern = try #require(HostPattern(host))
        harness.pipeline.ask(.changeTrust(.pin(pattern, [.key(sha256: Array(repeating: 7, count: 32))]))) { _ in }
    }

    @Test func whatWasTrustedBeforeAnswersNobodyAfterwards() throws {
        let origin = try Origin()
        origin.route("/r.png", .redirect(to: "http://localhost:\(origin.port)/b.png", status: 302))
        for path in ["/b.png", "/a.png"] {
            origin.route(path, .bytes(Picture.png(width: 4, height: 3), type: "image/png"))
        }
        let harness = try PipelineHarness { $0.settings.decode = .always }
        for round in 1...3 {
            // Another name of the host that the redirect leads to.
            if round == 3 { try change(harness, "localhost") }
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
        try change(harness, "elsewhere.example")
        for _ in 1...2 { harness.submit(origin.url("/a")) }
        #expect(harness.wait { $0.submissions.count == 3 })
        origin.release()
        let events = try harness.finish()
        #expect(events.submissions.map(\.outcome) == [.started, .started, .joined])
        #expect(origin.log.hits("/a") == 2)
    }
}
