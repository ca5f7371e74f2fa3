import SluiceCore
import SluiceImaging
import SluicePipeline
import SluiceSystem
import SluiceTestSupport
import Testing

/// A loop gives its client a turn more where a program ran something on the pipeline's actor as that ended.
struct LateTurnTests {
    /// Everything runs where the test does.
    private final class InPlace: PipelineExecutor {
        func wake() {}
        func enqueue(_ job: consuming ExecutorJob) {
            unsafe UnownedJob(job).runSynchronously(on: asUnownedSerialExecutor())
        }
        func isIsolatingCurrentContext() -> Bool? { true }
        func checkIsolated() {}
    }

    @Test func aPipelineThatHasEndedStaysClosed() {
        let pipeline = ImagePipeline(
            configuration: PipelineConfiguration(),
            executor: InPlace(),
            transport: DeadNetwork(DeadNetwork.nameless),
            files: nil,
            decoder: CodecDecoder(),
            pool: BlockingPool(threads: 1)
        )
        pipeline.finishWhenIdle()
        let sleep = pipeline.turn([], now: MonotonicClock.now())
        #expect(sleep == .ended)
        let late = pipeline.turn([], now: MonotonicClock.now())
        #expect(late == .ended)

        let outcomes = Locked<[Outcome]>([])
        pipeline.submit(DownloadRequest("http://h/")) { outcome in outcomes.withLock { $0.append(outcome.outcome) } }
        #expect(outcomes.withLock { $0 } == [.cancelled])
    }
}
