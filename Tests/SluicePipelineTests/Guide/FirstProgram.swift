import SluiceCore
import SluiceCurl
import SluiceImaging
import SluicePipeline
import SluiceStore

/// Downloads URLs into a folder, and returns when each has its outcome.
func downloadAll(_ urls: [String], into folder: String) throws {
    let loop = TransferLoop()
    let files = try DirectoryStore(directory: folder) { loop.wake() }
    var configuration = PipelineConfiguration()
    configuration.directory = files.path
    let pool = BlockingPool(threads: 2)
    let pipeline = ImagePipeline(
        configuration: configuration,
        executor: loop,
        transport: CurlTransport(poller: loop.poller),
        files: files,
        decoder: CodecDecoder(),
        pool: pool
    )
    loop.run(pipeline)
    for url in urls {
        pipeline.submit(DownloadRequest(url)) { outcome in
            print(url, outcome.file ?? outcome.error?.code.rawValue ?? "no file")
        }
    }
    pipeline.finishWhenIdle()
    loop.waitUntilEnded()
    pool.close()
}
