/// A part of the screen that can have the focus; the raw value is the digit that gives it.
enum Panel: Int, CaseIterable, Sendable {
    case active = 1
    case queued = 2
    case cache = 3
    case events = 4
    case network = 6

    var title: String {
        switch self {
        case .active: "active"
        case .queued: "queued"
        case .cache: "cache"
        case .events: "events"
        case .network: "network"
        }
    }
}
