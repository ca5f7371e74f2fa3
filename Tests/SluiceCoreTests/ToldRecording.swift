import SluiceCore

/// A recording that a test tells event by event.
struct ToldRecording {
    var model = ReplayModel()
    private var seq = 0

    mutating func tell(_ time: Duration, _ kind: PipelineEvent.Kind) {
        seq += 1
        model.apply(PipelineEvent(seq: seq, t: time, kind: kind))
    }

    mutating func snapshot(at time: Duration) -> PipelineSnapshot {
        model.snapshot(at: Recording.startTime + time, window: QueueWindow(from: 1, count: 10))
    }
}
