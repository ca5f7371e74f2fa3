import SluiceCore
import SluicePipeline
import SluiceTestTLS
import Testing

/// Trust through the whole pipeline, also where it changes while requests run.
@Suite(.timeLimit(.minutes(5)))
struct PipelineTrustTests {
    private let authority: TestCertificate
    private let strict: TrustBook
    private let lenient: TrustBook

    init() {
        var wishes = TestCertificate.Wishes("Authority")
        wishes.isAuthority = true
        authority = TestCertificate(wishes)
        let encoded = EncodedCertificate(bytes: authority.der, place: "ca.pem:1")
        var builder = TrustBookBuilder()
        builder.setAuthorities(CertificateFile(path: "ca.pem", certificates: [encoded]))
        strict = builder.book
        builder.trustAnything(.all)
        lenient = builder.book
    }

    @Test(arguments: [false, true]) func aThousandMixedRequestsNeverShareAConnection(http2: Bool) throws {
        var behaviour = TLSServer.Behaviour()
        (behaviour.requestsPerConnection, behaviour.offersHTTP2) = (10, http2)
        let good = TLSServer([leaf(by: authority)], behaviour)
        let bad = TLSServer([leaf(by: nil)], behaviour)
        defer {
            good.stop()
            bad.stop()
        }

        let events = try mixedRequests(good, bad)

        let ends = events.compactMap { event in
            if case .taskFinished(let end) = event.kind { end } else { nil }
        }
        #expect(ends.count == 1_000)
        let refused = ends.filter { $0.outcome == .failed }
        #expect(refused.count == 250, "\(refused.compactMap { $0.error?.message }.prefix(3))")
        #expect(refused.allSatisfy { $0.url.contains(":\(bad.port)/strict/") && $0.error?.code == .tlsUntrusted })
        let decisions = events.compactMap { event in
            if case .trustDecided(let decision) = event.kind { decision } else { nil }
        }
        #expect(decisions.count == 1_000, "one verdict for each request")
        #expect(decisions.filter { !$0.verdict.isAccepted }.count == 250)
        let isAnyReused = decisions.contains { $0.isReused }
        #expect(isAnyReused)
        for server in [good, bad] {
            // The pipeline is gone, and with it every connection: what follows looks at all that was ever said.
            #expect(server.wait { $0.allSatisfy(\.isEnded) })
            for connection in server.connections {
                let kinds = Set(connection.requests.map { $0.contains("/strict/") })
                #expect(kinds.count <= 1, "a connection served both policies: \(connection.requests)")
                #expect(connection.isShaken || connection.byteCount == 0)
                #expect(!connection.isShaken || connection.isHTTP2 == http2)
            }
        }
        #expect(bad.connections.allSatisfy { !$0.requests.contains { $0.contains("/strict/") } })
        #expect(bad.connections.filter { !$0.isShaken }.count >= 250, "each refusal has a handshake of its own")
        for (word, server, count) in [("strict", good, 250), ("lenient", good, 250), ("lenient", bad, 250)] {
            let mine = server.connections.filter { $0.requests.contains { $0.contains("/\(word)/") } }
            let asked = mine.reduce(0) { $0 + $1.requests.count }
            let resumed = mine.filter(\.isResumed).count
            print(
                "HTTP/\(http2 ? "2" : "1.1") \(word) at the \(server === good ? "good" : "bad") host:",
                "\(mine.count) connections, used again \(asked - mine.count) times, \(resumed) resumed"
            )
            #expect(asked >= count && asked > mine.count && resumed > 0)
        }
    }

    /// A thousand requests, half of them strict, half of them to a host that only lenient ones may ask.
    private func mixedRequests(_ good: TLSServer, _ bad: TLSServer) throws -> [PipelineEvent] {
        let harness = try PipelineHarness {
            $0.settings.maxActive = 32
            $0.settings.retries = 0
        }
        for number in 0..<250 {
            for (word, book) in [("strict", strict), ("lenient", lenient)] {
                trust(book, in: harness)
                // The tildes keep HTTP/2 from packing the path, so that the servers can read it.
                let path = "/\(word)/\(number)~~~~~~~~~~~~"
                harness.submit(good.url(path), bad.url(path))
            }
        }
        return try harness.finish()
    }

    @Test func aRequestOfAnotherTrustJoinsNoTaskAndHitsNoCache() throws {
        let server = TLSServer([leaf(by: nil)])
        defer { server.stop() }
        let harness = try PipelineHarness { $0.settings.retries = 0 }

        trust(lenient, in: harness)
        harness.submit(server.url("/a"), server.url("/a"))
        trust(strict, in: harness)
        harness.submit(server.url("/a"))
        let events = try harness.finish()

        let outcomes = events.compactMap { event in
            if case .requestSubmitted(let submission) = event.kind { submission.outcome } else { nil }
        }
        #expect(outcomes == [.started, .joined, .started], "the strict one is a task of its own")
        let ends = events.compactMap { event in
            if case .taskFinished(let end) = event.kind { end.outcome } else { nil }
        }
        #expect(Set(ends) == [.success, .failed])
    }

    @Test func aChangeOfTrustTakesRefusalsOffTheFailedList() throws {
        let server = TLSServer([leaf(by: nil)])
        defer { server.stop() }
        let harness = try PipelineHarness { $0.trust = strict }

        harness.submit(server.url("/a"))
        #expect(harness.wait { $0.contains { if case .receiptFinished = $0.kind { true } else { false } } })
        harness.submit(server.url("/a"))
        trust(lenient, in: harness)
        trust(strict, in: harness)
        harness.submit(server.url("/a"))
        let events = try harness.finish()

        let outcomes = events.compactMap { event in
            if case .requestSubmitted(let submission) = event.kind { submission.outcome } else { nil }
        }
        #expect(outcomes == [.started, .rejected, .started])
    }

    @Test func aCertificateThatEndsSoonIsAWarningOnce() throws {
        let server = TLSServer([leaf(by: authority) { $0.ends = 216_000 }])
        defer { server.stop() }
        let harness = try PipelineHarness { $0.trust = strict }

        harness.submit(server.url("/a"), server.url("/b"))
        let events = try harness.finish()

        let warnings = events.compactMap { event -> String? in
            if case .warning(.certificateEnds, let message, _) = event.kind { message } else { nil }
        }
        #expect(warnings.count == 1)
        #expect(warnings.first?.contains("localhost ends in 2 days") == true)
    }

    /// What a book says of all hosts holds from here on.
    private func trust(_ book: TrustBook, in harness: PipelineHarness) {
        harness.pipeline.ask(.changeTrust(.set(.all, book.fallback))) { _ in }
    }

    private func leaf(
        by issuer: TestCertificate?,
        _ change: (inout TestCertificate.Wishes) -> Void = { _ in }
    ) -> TestCertificate { .leaf(["localhost"], by: issuer, change) }
}
