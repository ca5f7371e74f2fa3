import SluiceCore
import SluiceCurl
import SluiceImaging
import SluiceOrigin
import SluicePipeline
import SluiceStore
import SluiceTestSupport
import Testing

/// What the front page tells users of the library compiles and works.
@Suite(.timeLimit(.minutes(5)))
struct DocumentationTests {
    @Test func theExampleOfTheLibraryDownloads() throws {
        let origin = try Origin()
        origin.route("/a.png", .bytes(Picture.png(width: 4, height: 4), type: "image/png"))
        let pictures = try TemporaryDirectory()
        let files = Locked<[String?]>([])

        let loop = TransferLoop()
        let pool = BlockingPool(threads: 2)
        let pipeline = ImagePipeline(
            configuration: PipelineConfiguration(),
            executor: loop,
            transport: CurlTransport(poller: loop.poller),
            files: try DirectoryStore(directory: pictures.path) { loop.wake() },
            decoder: CodecDecoder(),
            pool: pool
        )
        loop.run(pipeline)
        pipeline.submit(DownloadRequest(origin.url("/a.png"))) { outcome in files.withLock { $0.append(outcome.file) } }
        pipeline.finishWhenIdle()
        loop.waitUntilEnded()
        pool.close()

        #expect(files.withLock { $0 } == [pictures.path + "/a.png"])
    }
}
