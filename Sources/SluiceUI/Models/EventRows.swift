internal import SluiceCore

/// The last events that people want to read, newest last; a ring.
///
/// Holds compact values and no sentences: those are made for the rows in sight.
/// Progress and other noise is left out, and a run of queued requests is one entry.
struct EventRows: Sendable {
    struct Entry: Sendable {
        /// Of the first event that it stands for; grows from entry to entry.
        let seq: Int
        var t: Duration
        var kind: PipelineEvent.Kind
        /// Equal events in a row, or victims of a purge.
        var count: Int
        /// What it is about, where the event names only a task.
        var subject: String?
        /// For a receipt that ended, whether its task was known to go on for others.
        var hasOthers = false
    }

    static let capacity = 10_000

    private var entries = RingBuffer<Entry>(limit: Self.capacity)
    /// Events that were dropped before they came here.
    private(set) var lost = 0

    var count: Int { entries.count }

    /// - Parameter age: 0 for the newest. `0..<count`
    subscript(age age: Int) -> Entry { entries[age: age] }

    /// Of the newest entry; −1 if there is none.
    var newestSeq: Int { entries.last?.seq ?? -1 }

    /// The age of the entry with `seq`, or of the next newer one.
    func age(ofSeq seq: Int) -> Int {
        var (low, high) = (0, entries.count - 1)
        while low < high {
            let middle = (low + high + 1) / 2
            if self[age: middle].seq >= seq { low = middle } else { high = middle - 1 }
        }
        return max(0, low)
    }

    /// - Returns: Whether it is kept.
    mutating func append(
        _ event: PipelineEvent,
        wasAskedFor: Bool,
        subject: String? = nil,
        hasOthers: Bool = false
    ) -> Bool {
        guard Self.isNotable(event.kind, wasAskedFor: wasAskedFor) else { return false }
        if Self.isQueued(event.kind), var last = entries.last, Self.isQueued(last.kind) {
            (last.kind, last.t) = (event.kind, event.t)
            last.count += 1
            entries[age: 0] = last
            return true
        }
        var entry = Self.compact(event)
        (entry.subject, entry.hasOthers) = (subject, hasOthers)
        entries.append(entry)
        return true
    }

    mutating func noteLost(_ count: Int) { lost += count }

    private static func isQueued(_ kind: PipelineEvent.Kind) -> Bool {
        if case .requestSubmitted(let submission) = kind { submission.outcome == .queued } else { false }
    }

    private static func isNotable(_ kind: PipelineEvent.Kind, wasAskedFor: Bool) -> Bool {
        switch kind {
        case .taskProgress, .taskResponse, .indicatorChanged: false
        case .httpCacheChanged(let change): change.verb == .evicted
        case .requestSubmitted(let submission): submission.outcome != .started
        case .taskChanged(let change): change.phase != .started && change.phase != .queued
        case .receiptFinished(let end): wasAskedFor && end.outcome == .cancelled
        case .cacheChanged(let change): change.verb == .refused || change.verb == .removed
        case .prefetchProgress(_, _, _, _, let isEnd): isEnd
        case .trustDecided(let decision): !decision.verdict.isAccepted
        case .sessionStarted, .taskFinished, .cachePurged, .settingChanged, .warning, .sessionEnded: true
        }
    }

    private static func compact(_ event: PipelineEvent) -> Entry {
        var entry = Entry(seq: event.seq, t: event.t, kind: event.kind, count: 1)
        switch event.kind {
        case .cachePurged(var purge):
            entry.count = purge.victims.count
            purge.victims = []
            entry.kind = .cachePurged(purge)
        case .taskFinished(var end):
            if end.error?.body != nil {
                end.error = end.error?.withoutBody
                entry.kind = .taskFinished(end)
            }
        default: break
        }
        return entry
    }
}
