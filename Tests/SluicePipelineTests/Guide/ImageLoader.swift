import SluiceCore
import SluiceCurl
import SluiceImaging
import SluicePipeline

/// Loads images into memory, each once, however many ask for it.
final class ImageLoader: Sendable {
    private let loop = TransferLoop()
    private let pool = BlockingPool(threads: 4)
    private let pipeline: ImagePipeline

    /// - Parameter capacity: Of the memory cache, in bytes.
    init(capacity: Int) {
        var configuration = PipelineConfiguration()
        configuration.settings.cacheCapacity = capacity
        configuration.settings.acceptOnly = .image
        pipeline = ImagePipeline(
            configuration: configuration,
            executor: loop,
            transport: CurlTransport(poller: loop.poller),
            files: nil,
            decoder: CodecDecoder(),
            pool: pool
        )
        loop.run(pipeline)
    }

    /// The image, scaled down to a box if one is given; `nil` if there is none.
    func image(at url: String, fitting box: ThumbnailSize? = nil) async -> DecodedImage? {
        await pipeline.outcome(of: request(url, box)).image
    }

    /// Loads what will be asked for soon, with few slots and behind everything else.
    func prefetch(_ urls: [String], fitting box: ThumbnailSize? = nil) {
        pipeline.send(.prefetch(urls.map { request($0, box) }))
    }

    /// Ends it; who still waits for an image gets none.
    func close() {
        pipeline.send(.shutDown)
        loop.waitUntilEnded()
        pool.close()
    }

    private func request(_ url: String, _ box: ThumbnailSize?) -> DownloadRequest {
        DownloadRequest(url, options: RequestOptions(saves: false, thumbnail: box))
    }
}
