import SluiceCore
import SluiceCurl
import SluiceImaging
import SluicePipeline

/// A pipeline without files and caches on a network that is down, what its listeners heard, and what it answered.
///
/// What is sent before ``run()`` comes in one turn.
final class BarePipeline: Sendable {
    private final class Heard: Sendable {
        let events = Locked<[PipelineEvent]>([])
        let replies = Locked<[PipelineReply]>([])
        let pipeline = Locked<ImagePipeline?>(nil)
    }

    let pipeline: ImagePipeline
    private let loop = TransferLoop()
    private let pool = BlockingPool(threads: 1)
    private let heard: Heard

    /// - Parameters:
    ///   - interests: Of its listeners, one each.
    ///   - answering: What is sent when an event was heard, from the turn that told of it.
    ///   - configure: Changes what is not as usual; by default nothing is tried twice.
    init(
        hearing interests: [EventInterest] = [.all],
        answering: @escaping @Sendable (PipelineEvent) -> PipelineCommand? = { _ in nil },
        configuring configure: (inout PipelineConfiguration) -> Void = { _ in }
    ) {
        let heard = Heard()
        self.heard = heard
        var configuration = PipelineConfiguration()
        configuration.settings.retries = 0
        configure(&configuration)
        let listeners = interests.map { interest in
            EventListener(interest) { event in
                heard.events.withLock { $0.append(event) }
                guard let command = answering(event) else { return }
                heard.pipeline.withLock { $0 }?.send(command)
            }
        }
        pipeline = ImagePipeline(
            configuration: configuration,
            executor: loop,
            transport: DeadNetwork(DownloadError(.cannotConnect, "it is down")),
            files: nil,
            decoder: CodecDecoder(),
            pool: pool,
            listeners: listeners
        )
        heard.pipeline.withLock { [pipeline] in $0 = pipeline }
    }

    var events: [PipelineEvent] { heard.events.withLock { $0 } }
    var replies: [PipelineReply] { heard.replies.withLock { $0 } }

    func ask(_ query: PipelineQuery) {
        pipeline.ask(query) { [heard] reply in heard.replies.withLock { $0.append(reply) } }
    }

    /// Asks once no task is live.
    func askWhenIdle(_ query: PipelineQuery) {
        pipeline.ask(.idle) { [self] _ in ask(query) }
    }

    /// Does what was sent, and ends when nothing is left to do.
    func run() {
        pipeline.finishWhenIdle()
        loop.run(pipeline)
        loop.waitUntilEnded()
        pool.close()
        heard.pipeline.withLock { $0 = nil }
    }
}
