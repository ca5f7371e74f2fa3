import SluiceCore
import Testing

/// What a log says that no session wrote stays within bounds.
struct ReplayLimitTests {
    private func change(_ phase: TaskChange.Phase, _ task: Int) -> PipelineEvent.Kind {
        let url = "https://a.example/\(task)"
        return .taskChanged(TaskChange(phase: phase, task: TaskID(task), url: url, attempt: 1, active: 1, queued: 0))
    }

    @Test func startsWithoutEndsPushOutTheOldest() {
        var model = ReplayModel()
        var seq = 0
        func tell(_ kind: PipelineEvent.Kind) {
            seq += 1
            model.apply(PipelineEvent(seq: seq, t: .zero, kind: kind))
        }
        func active() -> [Int] {
            model.snapshot(at: Recording.startTime, window: QueueWindow(from: 1, count: 10)).active.map(\.task.rawValue)
        }

        for task in 1...2_000 { tell(change(.started, task)) }
        #expect(active() == Array(1_745...2_000))

        tell(.taskProgress(TaskID(1), received: 5, expected: nil))
        tell(change(.suspended, 2))
        #expect(active() == Array(1_745...2_000), "what was pushed out holds nothing")

        tell(change(.started, 1))
        #expect(active() == Array(1_746...2_000) + [1])
    }

    @Test(arguments: [Int.min, -1, .max]) func aWindowMayHaveAnyNumbers(number: Int) {
        var model = ReplayModel()
        for filter in ["", "example"] {
            let window = QueueWindow(from: number, count: number, filter: ListFilter(filter))
            let snapshot = model.snapshot(at: Recording.startTime, window: window)
            #expect(snapshot.queuedFrom == 1 && snapshot.queued.isEmpty)
        }
    }

    @Test func aWaitMayEndAtTheLastTimeThatCanBeCounted() {
        let why = Why.joinedWaiting(receipts: 1, until: Timestamp(nanoseconds: .max))
        #expect(why.sentence(now: Timestamp(nanoseconds: 0)).contains("waits for its retry in 2562048 h"))
        #expect(Duration.nanoseconds(Int64.max).rounded(inUnitsOf: 1) == .max)
        #expect(Duration.nanoseconds(Int64.min).rounded(inUnitsOf: 10) == 0)
        #expect([14, 15, 16].map { Duration.nanoseconds($0).rounded(inUnitsOf: 10) } == [1, 2, 2])
    }
}
