import SluiceCore
import Testing

/// What a recording shows once its session has ended.
struct ReplayEndTests {
    private static func change(_ phase: TaskChange.Phase, _ task: Int) -> TaskChange {
        TaskChange(
            phase: phase,
            task: TaskID(task),
            url: "https://a.example/\(task)",
            attempt: 1,
            active: 1,
            queued: 0
        )
    }

    @Test func whatHasNoOutcomeStandsStillAsFarAsItWas() {
        var recording = ToldRecording()
        recording.tell(.zero, .indicatorChanged(from: .notActive, to: .active, tasks: 1))
        recording.tell(.zero, .taskChanged(Self.change(.started, 1)))
        for tenth in 0...20 {
            recording.tell(.milliseconds(100 * tenth), .taskProgress(TaskID(1), received: tenth * 32, expected: 1_000))
        }
        var waiting = Self.change(.waiting, 2)
        (waiting.until, waiting.delay) = (Recording.startTime + .seconds(30), .seconds(30))
        recording.tell(.seconds(2), .taskChanged(waiting))
        recording.tell(.seconds(2), .indicatorChanged(from: .active, to: .delayingEnd, tasks: 0))
        let before = recording.snapshot(at: .seconds(2))
        #expect(before.active.count == 1 && before.waitingCount == 1 && before.rate > 0 && !before.hasEnded)
        #expect(before.indicator.deadline != nil)

        var counts = SessionCounts()
        counts.left = 2
        recording.tell(.seconds(2), .sessionEnded(counts))

        let after = recording.snapshot(at: .seconds(2))
        #expect(after.hasEnded && after.active.isEmpty && after.rate == 0 && after.connections.isEmpty)
        #expect(after.waiting.isEmpty && after.waitingCount == 0, "nothing comes due any more")
        #expect(after.paused.map(\.task) == [TaskID(1), TaskID(2)] && after.pausedCount == 2)
        #expect(after.paused.first?.received == 640 && after.paused.first?.expected == 1_000)
        #expect(after.indicator.state == .notActive && after.indicator.deadline == nil && after.indicator.tasks == 0)
    }
}
