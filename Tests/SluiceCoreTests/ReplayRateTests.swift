import SluiceCore
import Testing

/// What a recording says of the rate of all transfers.
struct ReplayRateTests {
    private func change(_ phase: TaskChange.Phase, _ task: Int) -> PipelineEvent.Kind {
        let url = "https://a.example/\(task)"
        return .taskChanged(TaskChange(phase: phase, task: TaskID(task), url: url, attempt: 1, active: task, queued: 0))
    }

    private func progress(_ task: Int, _ received: Int) -> PipelineEvent.Kind {
        .taskProgress(TaskID(task), received: received, expected: nil)
    }

    @Test func theRateOfAllIsNeverBelowTheSumOfTheRows() {
        var recording = ToldRecording()
        recording.tell(.zero, change(.started, 1))
        for second in 0...10 { recording.tell(.seconds(second), progress(1, second * 1_000)) }
        recording.tell(.seconds(10), change(.started, 2))
        for tenth in 0...10 { recording.tell(.milliseconds(10_000 + 100 * tenth), progress(2, tenth * 300_000)) }

        let snapshot = recording.snapshot(at: .seconds(11))

        let ofRows = snapshot.active.reduce(0) { $0 + $1.rate }
        #expect(ofRows > 2_000_000, "the second is fast at once")
        #expect(snapshot.rate >= ofRows)
        let sample = recording.model.sample(at: Recording.startTime + .seconds(11))
        #expect(sample.rate == snapshot.rate, "the graph says the same")
    }

    @Test func aRecordingSaysForHowLongARateWasMeasured() {
        var recording = ToldRecording()
        recording.tell(.zero, change(.started, 1))
        var told: [String] = []
        for tenth in 0...30 {
            let time = Duration.milliseconds(100 * tenth)
            recording.tell(time, progress(1, tenth * 1_000))
            let snapshot = recording.snapshot(at: time)
            guard let row = snapshot.active.first, [5, 15, 30].contains(tenth) else { continue }
            told.append("\(snapshot.isRateMeasured) \(row.isRateMeasured) \(row.isRateSteady)")
        }
        #expect(told == ["false false false", "true true false", "true true true"])
    }
}
