internal import ArgumentParser
internal import CLinux
internal import Glibc
internal import SluiceCore
internal import SluiceCurl
internal import SluiceImaging
internal import SluiceOrigin
internal import SluicePipeline
internal import SluiceSystem

/// From the outcome of a cancelled request to the close that its server sees.
struct AbortBenchmark: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "abort",
        abstract: "Time until an origin sees that the last receipt was cancelled (--last-receipt abort)."
    )

    @Option(help: "Downloads cancelled of each kind.")
    var rounds = 100

    func validate() throws { try check("rounds", rounds) }

    /// In ms.
    private static let bound = 50.0

    func run() throws {
        printMachine()
        let origin = try Origin()
        print("\nfrom the outcome to the close seen by the origin, in ms")
        try measure("before an answer", origin, after: 0) { _ in
            var answer = OriginResponse()
            answer.fault = .silence
            return answer
        }
        try measure("body has stalled", origin, after: 100_000) { _ in
            var answer = OriginResponse(body: .pattern(count: 1_000_000))
            answer.fault = .stall(after: 100_000)
            return answer
        }
        try measure("body at full rate", origin, after: 4_194_304) { _ in
            OriginResponse(body: .pattern(count: 1 << 45))
        }
        origin.close()
    }

    private func measure(
        _ name: String,
        _ origin: Origin,
        after received: Int,
        _ answer: @escaping @Sendable (OriginRequest) -> OriginResponse
    ) throws {
        origin.setFallback { request, _ in answer(request) }
        let ends = Locked<[Timestamp]>([])
        let arrived = Doorbell()
        let start = MonotonicClock.now()
        let library = Library(start: start) { event in
            // Reported before the connection is closed, so it is known by the time the close is seen.
            switch event.kind {
            case .taskFinished: ends.withLock { $0.append(start + event.t) }
            case .taskProgress(_, let count, _): if count >= received { arrived.ring() }
            default: break
            }
        }
        defer { library.end() }
        var times: [Double] = []
        for round in 1...rounds {
            let path = "/\(name.split(separator: " ").joined(separator: "-"))/\(round)"
            library.pipeline.send(.submit([DownloadRequest(origin.url(path))]))
            guard origin.waitUntil({ $0.hits(path) == 1 }) else {
                throw BenchmarkFailure(message: "\(path) never reached the origin")
            }
            if received > 0 {
                var watched = pollfd(fd: arrived.descriptor, events: Int16(POLLIN), revents: 0)
                guard unsafe poll(&watched, 1, 5_000) > 0 else {
                    throw BenchmarkFailure(message: "\(received) bytes of \(path) never arrived")
                }
            }
            library.pipeline.send(.cancel(ReceiptID(round)))
            guard origin.waitUntil({ $0.closes(path).count == 1 }), let close = origin.log.closes(path).first else {
                throw BenchmarkFailure(message: "the origin never saw \(path) closed")
            }
            let seen = ends.withLock { $0 }
            guard seen.count == round, let outcome = seen.last else {
                throw BenchmarkFailure(message: "\(path) had \(seen.count) outcomes")
            }
            times.append(Double((close.at - outcome).nanoseconds) / 1e6)
            // Rung by what has ended by now.
            arrived.answer()
        }
        let spread = Spread(times)
        print(
            "  \(name.padded(18)) \(rounds) times: median \(fixed(spread.median)), least \(fixed(spread.least)),",
            "most \(fixed(spread.greatest)), bound \(fixed(Self.bound, 0)): \(verdict(spread.greatest <= Self.bound))"
        )
    }
}

/// A pipeline in this process that saves nothing and aborts what nobody waits for.
private struct Library {
    let pipeline: ImagePipeline
    private let loop = TransferLoop()
    private let pool = BlockingPool(threads: 1)

    init(start: Timestamp, hear: @escaping @Sendable (PipelineEvent) -> Void) {
        var configuration = PipelineConfiguration()
        configuration.startTime = start
        configuration.settings.lastReceipt = .abort
        pipeline = ImagePipeline(
            configuration: configuration,
            executor: loop,
            transport: CurlTransport(poller: loop.poller, configuration: CurlTransport.Configuration()),
            files: nil,
            decoder: CodecDecoder(),
            pool: pool,
            listeners: [EventListener([.outcomes, .progress], hear: hear)]
        )
        loop.run(pipeline)
    }

    func end() {
        pipeline.send(.shutDown)
        loop.waitUntilEnded()
        pool.close()
    }
}
