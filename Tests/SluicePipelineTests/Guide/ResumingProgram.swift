import SluiceCore
import SluiceCurl
import SluiceImaging
import SluicePipeline
import SluiceStore

/// The same for one URL, going on where an earlier run was ended by `shutDown`, or died.
func resumeDownload(of url: String, into folder: String, keeping stateFolder: String) throws {
    let loop = TransferLoop()
    let files = try DirectoryStore(directory: folder) { loop.wake() }
    let state = StateStore(StateStore.Configuration(folder: stateFolder, directory: files.path, keepsQueue: false))
    var configuration = PipelineConfiguration()
    configuration.directory = files.path
    configuration.state = state
    configuration.awaitsMemory = true
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
    state.load { pipeline.remember($0) }
    pipeline.submit(DownloadRequest(url)) { outcome in print(outcome.file ?? "no file") }
    pipeline.finishWhenIdle()
    loop.waitUntilEnded()
    pool.close()
    state.close()
}
