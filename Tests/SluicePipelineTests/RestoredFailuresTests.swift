import SluiceCore
import SluiceOrigin
import SluicePipeline
import SluiceTestTLS
import Testing

/// What an earlier session left on its failed list, where what may have caused it is otherwise now.
@Suite(.timeLimit(.minutes(5)))
struct RestoredFailuresTests {
    /// What a later session has otherwise.
    enum Difference: CaseIterable, Sendable {
        case nothing
        case retries
        case userAgent
        case route
        case acceptOnly
        case maxPixels
        case decode
        case trust

        /// Whether it may have caused an answer, a broken image, and a refused certificate.
        var mayCause: [Bool] {
            switch self {
            case .nothing, .retries: [false, false, false]
            case .userAgent, .route: [true, true, true]
            case .acceptOnly, .maxPixels, .decode: [false, true, false]
            case .trust: [false, false, true]
            }
        }

        func change(_ configuration: inout PipelineConfiguration, trust: TrustBook) {
            switch self {
            case .nothing: break
            case .retries: configuration.settings.retries = 7
            case .userAgent: configuration.userAgent = "Other/1"
            case .route: configuration.route = "http://proxy.example:3128"
            case .acceptOnly: configuration.settings.acceptOnly = .image
            case .maxPixels: configuration.settings.maxPixels = 5_000
            case .decode: configuration.settings.decode = .never
            case .trust: configuration.trust = trust
            }
        }
    }

    private let origin: Origin

    init() throws {
        origin = try Origin()
        let image = Picture.png(width: 60, height: 60)
        origin.route("/broken.png", .bytes(Array(image.prefix(image.count / 2)), type: "image/png"))
        origin.route("/gone", OriginResponse(404))
    }

    @Test(arguments: Difference.allCases)
    func whatMayHaveAnotherCauseNowIsAskedForAgain(difference: Difference) throws {
        let server = TLSServer([.leaf(["localhost"], by: nil)])
        defer { server.stop() }
        let urls = [origin.url("/gone"), origin.url("/broken.png"), server.url("/a")]
        let failures = try failures(of: urls)
        #expect(Set(failures.map(\.error.code)) == [.badStatus, .badImage, .tlsUntrusted])
        #expect(failures.allSatisfy { $0.circumstances != nil })

        let (keeper, trust) = (SlowKeeper(), try trustOfAnotherHost())
        let refused = try refused(urls, after: failures, keeper) { difference.change(&$0, trust: trust) }

        #expect(refused == difference.mayCause.map { !$0 })
        let mayDiffer = Set(zip(urls, difference.mayCause).filter(\.1).map(\.0))
        let forgotten = failures.filter { mayDiffer.contains($0.url) }.map(\.key)
        #expect(Set(keeper.forgotten) == Set(forgotten), "nor does a third session hear of them")
    }

    @Test(arguments: Difference.allCases)
    func whatAnEarlierVersionWroteIsRefusedAsEver(difference: Difference) throws {
        let url = origin.url("/broken.png")
        let error = DownloadError(.badImage, "broken")
        let record = FailedRecord(key: url, url: url, error: error, until: 600)

        let (keeper, trust) = (SlowKeeper(), try trustOfAnotherHost())
        let refused = try refused([url], after: [record], keeper) { difference.change(&$0, trust: trust) }

        #expect(refused == [true] && keeper.forgotten.isEmpty)
    }

    @Test func anotherTimeOfAllLeavesWhatTheyMayComeFrom() throws {
        let keeper = SlowKeeper()
        let harness = try PipelineHarness { ($0.state, $0.keepsQueue) = (keeper, true) }
        harness.submit(origin.url("/gone"))
        #expect(harness.wait { $0.taskEnds.count == 1 })
        try harness.set("failedFor", "300")
        try harness.finish()

        let marks = keeper.failures.compactMap(\.circumstances)
        #expect(marks.count == 2 && Set(marks).count == 1)
        #expect(Set(keeper.failures.map(\.until)).count == 2)
    }

    /// What a session with the usual configuration leaves.
    private func failures(of urls: [String]) throws -> [FailedRecord] {
        let keeper = SlowKeeper()
        let harness = try PipelineHarness { ($0.state, $0.keepsQueue) = (keeper, true) }
        harness.submit(urls)
        try harness.finish()
        return keeper.failures
    }

    /// Whether each URL is refused, as one that failed before, by a session that goes on from failures.
    private func refused(
        _ urls: [String],
        after failures: [FailedRecord],
        _ keeper: SlowKeeper,
        _ configure: (inout PipelineConfiguration) -> Void
    ) throws -> [Bool] {
        let harness = try PipelineHarness {
            ($0.state, $0.keepsQueue, $0.awaitsMemory) = (keeper, true, true)
            configure(&$0)
        }
        var state = RememberedState()
        state.failed = failures
        harness.pipeline.remember(state)
        harness.submit(urls)
        #expect(harness.wait { $0.submissions.count == urls.count })
        return try harness.shutDown().submissions.map { $0.error?.code == .previouslyFailed }
    }

    /// One that judges the hosts of the tests as usual, so that the keys of their requests are the same.
    private func trustOfAnotherHost() throws -> TrustBook {
        var wishes = TestCertificate.Wishes("Authority")
        wishes.isAuthority = true
        let certificate = EncodedCertificate(bytes: TestCertificate(wishes).der, place: "ca.pem:1")
        var policy = TrustPolicy()
        policy.authorities = CertificateFile(path: "ca.pem", certificates: [certificate])
        return TrustBook(entries: [TrustBook.Entry(try #require(HostPattern("other.example")), policy)])
    }
}
