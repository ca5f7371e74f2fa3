internal import SluiceCore

/// What a screen knows of a recording after some of its events: the pipeline, and what news of it made.
///
/// A value: copies of it are places to start from. The same place has the same fold, however
/// it was reached: histories are sampled at fixed times of the session.
struct ReplayFold: Sendable {
    /// Between two samples, in nanoseconds.
    private static let interval: Int64 = 250_000_000
    /// After so long a silence nothing changes any more that a history shows.
    private static let silence: Int64 = 600_000_000_000

    private(set) var model = ReplayModel()
    private(set) var state: AppState
    /// Events that were applied.
    private(set) var index = 0
    /// How far histories are sampled, in nanoseconds since the start.
    private(set) var place: Int64 = 0
    private var nextSample: Int64 = 0
    private var lastUsage = 0
    private var receipts = RecordedReceipts()

    init(_ configuration: DashboardConfiguration) { state = AppState(configuration) }

    /// Applies events up to a number.
    mutating func advance(_ recording: Recording, to target: Int) {
        var change = AppReducer.Change()
        while index < target {
            let event = recording[index]
            sample(before: recording.times[index], recording)
            model.apply(event)
            take(event, &change)
            index += 1
            place = recording.times[index - 1]
        }
    }

    /// Lets time pass after the last event, up to a place before the next.
    mutating func settle(_ recording: Recording, at place: Int64) {
        let isBetween = index == recording.count || recording.times[index] > place
        sample(before: isBetween ? place + 1 : place, recording)
        self.place = max(self.place, place)
    }

    mutating func snapshot(at now: Timestamp, _ window: QueueWindow, _ inspection: Inspection) -> PipelineSnapshot {
        model.snapshot(at: now, window: window, inspection: inspection)
    }

    mutating func find(_ search: QueueSearch, _ filter: ListFilter) -> QueueSearch.Answer {
        model.find(search, filter)
    }

    private mutating func take(_ event: PipelineEvent, _ change: inout AppReducer.Change) {
        let now = Recording.startTime + event.t
        let event = receipts.counted(event)
        switch event.kind {
        // The snapshot says what is queued, as in a live dashboard.
        case .taskChanged(let change) where change.phase == .queued: return
        case .warning(_, _, let task?): state.snapshot.active = [model.activeRow(of: task, at: now)].compactMap(\.self)
        default: break
        }
        AppReducer.take(event: event, &state, &change, now)
        change = AppReducer.Change()
    }

    private mutating func sample(before end: Int64, _ recording: Recording) {
        let last = index > 0 ? recording.times[index - 1] : 0
        while nextSample < min(end, last + Self.silence) {
            let time = Recording.startTime + .nanoseconds(nextSample)
            let (rate, usage, isMoving) = model.sample(at: time)
            if isMoving { state.news.throughput.record(Double(rate), at: time) }
            if isMoving || usage != lastUsage { state.news.usage.record(Double(usage), at: time) }
            lastUsage = usage
            nextSample += Self.interval
        }
        // Behind a long silence the times go on as if it had been sampled.
        if end > nextSample { nextSample += (end - nextSample + Self.interval - 1) / Self.interval * Self.interval }
    }
}
