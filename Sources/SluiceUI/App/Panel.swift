/// A part of the screen that can have the focus; the raw value is the digit that gives it.
enum Panel: Int, CaseIterable, Sendable {
    case active = 1
    case queued = 2
    case cache = 3
    case events = 4
    case preview = 5
    case network = 6
    case detail = 7
    /// Shares the place of the queue; the one that had the focus last is seen.
    case finished = 8
    /// What failed, with what is remembered of it; shares the place of the queue too.
    case failed = 9

    var title: String {
        switch self {
        case .active: "active"
        case .queued: "queued"
        case .cache: "cache"
        case .events: "events"
        case .preview: "preview"
        case .network: "network"
        case .detail: "detail"
        case .finished: "finished"
        case .failed: "failed"
        }
    }
}
