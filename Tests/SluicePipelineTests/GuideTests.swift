import SluiceCore
import SluiceCurl
import SluiceImaging
import SluiceOrigin
import SluicePipeline
import SluiceTestSupport
import SluiceTestTLS
import Testing

/// The programs of the guide for users of the library are in `Guide` beside this file, and work.
@Suite(.timeLimit(.minutes(5)))
struct GuideTests {
    private static let root = #filePath.split(separator: "/").dropLast(3).map { "/\($0)" }.joined()

    private static func text(_ path: String) -> String {
        String(decoding: FileTree.contents(of: root + "/" + path) ?? [], as: UTF8.self)
    }

    private static let guide = text("Sources/SluicePipeline/SluicePipeline.docc/Guide.md")

    /// The lines that are not blank, without their indentation.
    private static func lines(_ text: Substring) -> [Substring] {
        text.split(separator: "\n").map { $0.drop { $0 == " " } }.filter { !$0.isEmpty }
    }

    /// The lines of each block of Swift.
    private static func blocks(of page: String) -> [[Substring]] {
        page.split(separator: "```swift\n", omittingEmptySubsequences: false).dropFirst().map { block in
            lines(block.split(separator: "```", omittingEmptySubsequences: false)[0])
        }
    }

    @Test func theCodeOfTheGuideIsWhatIsTested() throws {
        let folder = "Tests/SluicePipelineTests/Guide"
        let files = FileTree.names(in: Self.root + "/" + folder).map { Self.lines(Self.text("\(folder)/\($0)")[...]) }
        try #require(files.count == 5)
        // The first block is of a manifest.
        let blocks = Self.blocks(of: Self.guide).dropFirst()
        let inReadme = Self.blocks(of: Self.text("README.md"))
        try #require(blocks.count >= files.count && inReadme.count == 1)
        for block in blocks + inReadme {
            #expect(files.contains { $0.contains(block) }, "\(block.joined(separator: "\n"))")
        }
    }

    @Test func thePackagesOfTheGuideAreThoseOfTheLibrary() throws {
        let line = try #require(Self.guide.split(separator: "\n").first { $0.hasPrefix("apt-get install ") })
        let all = Self.lines(Self.text("assets/packages.txt")[...])
        // The screen is no part of the library.
        let needed = all.filter { $0 != "libncurses-dev" }
        let named = Array(line.split(separator: " ").dropFirst(2))
        #expect(named == needed)
    }

    @Test func theFirstProgramDownloads() throws {
        let origin = try Self.origin()
        let pictures = try TemporaryDirectory()
        try downloadAll([origin.url("/a.png"), origin.url("/b.png")], into: pictures.path)
        #expect(pictures.names == ["a.png"])
    }

    @Test func theSecondRunOfAProgramWithStateKnowsTheFileOfTheFirst() throws {
        let origin = try Self.origin()
        let (pictures, state) = (try TemporaryDirectory(), try TemporaryDirectory())
        for _ in 0..<2 { try resumeDownload(of: origin.url("/a.png"), into: pictures.path, keeping: state.path) }
        #expect(pictures.names == ["a.png"])
    }

    @Test func theLoaderHasOneImageForAll() async throws {
        let origin = try Self.origin()
        let loader = ImageLoader(capacity: 1_048_576)
        loader.prefetch([origin.url("/a.png")])
        let first = await loader.image(at: origin.url("/a.png"))
        let second = await loader.image(at: origin.url("/a.png"))
        let small = await loader.image(at: origin.url("/a.png"), fitting: ThumbnailSize(width: 2, height: 2))
        let none = await loader.image(at: origin.url("/b.png"))
        loader.close()
        #expect(first != nil && first === second)
        #expect(first?.bitmap.width == 4)
        #expect(small?.bitmap.width == 2)
        #expect(none == nil)
    }

    @Test func theTrustOfTheGuideHolds() throws {
        var wishes = TestCertificate.Wishes("Authority")
        wishes.isAuthority = true
        let authority = TestCertificate(wishes)
        let leaf = TestCertificate.leaf(["localhost"], by: authority)
        let me = TestCertificate(TestCertificate.Wishes("Me"))
        var behaviour = TLSServer.Behaviour()
        behaviour.asksForClient = true
        let server = TLSServer([leaf], behaviour)
        defer { server.stop() }
        let hosts = try #require(HostPattern("localhost"))
        var configuration = PipelineConfiguration()
        configuration.trust = try ownTrust(
            hosts,
            authority: Array(authority.pem.utf8),
            pin: leaf.pin,
            client: Array((me.pem + me.keyPEM).utf8)
        )
        let (loop, pool) = (TransferLoop(), BlockingPool(threads: 1))
        let pipeline = ImagePipeline(
            configuration: configuration,
            executor: loop,
            transport: CurlTransport(poller: loop.poller),
            files: nil,
            decoder: CodecDecoder(),
            pool: pool
        )
        let outcomes = Locked<[String]>([])
        let pins = Locked(0)
        loop.run(pipeline)
        pipeline.submit(DownloadRequest(server.url("/a"), options: RequestOptions(saves: false))) { outcome in
            outcomes.withLock { $0.append(outcome.error?.message ?? "success") }
        }
        try addPin(me.pin, of: hosts, to: pipeline)
        pipeline.ask(.trust) { reply in
            guard case .trust(let book) = reply.answer else { return }
            pins.withLock { $0 = book.policy(of: hosts)?.pins.count ?? 0 }
        }
        pipeline.finishWhenIdle()
        loop.waitUntilEnded()
        pool.close()
        #expect(outcomes.withLock { $0 } == ["success"])
        #expect(server.connections.map(\.hasClient) == [true])
        #expect(pins.withLock { $0 } == 2)
    }

    @Test func theTransportOfTheGuideAnswers() {
        let outcomes = Locked<[String]>([])
        let (loop, pool) = (TransferLoop(), BlockingPool(threads: 1))
        let pipeline = ImagePipeline(
            configuration: PipelineConfiguration(),
            executor: loop,
            transport: CannedTransport(["http://site.example/a.png": Picture.png(width: 4, height: 4)]),
            files: nil,
            decoder: CodecDecoder(),
            pool: pool
        )
        loop.run(pipeline)
        for name in ["a.png", "b.png"] {
            pipeline.submit(DownloadRequest("http://site.example/" + name)) { outcome in
                let width = outcome.image.map { "\($0.bitmap.width)" }
                outcomes.withLock { $0.append(width ?? outcome.error?.code.rawValue ?? "") }
            }
        }
        pipeline.finishWhenIdle()
        loop.waitUntilEnded()
        pool.close()
        #expect(outcomes.withLock { $0.sorted() } == ["4", "badStatus"])
    }

    /// A server that has one picture.
    private static func origin() throws -> Origin {
        let origin = try Origin()
        origin.route("/a.png", .bytes(Picture.png(width: 4, height: 4), type: "image/png"))
        return origin
    }
}
