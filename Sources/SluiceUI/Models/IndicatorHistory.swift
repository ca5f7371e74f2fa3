internal import SluiceCore

/// The last changes of the network activity indicator, newest first.
struct IndicatorHistory: Sendable {
    struct Entry: Equatable, Sendable {
        /// Since the start of the session.
        let t: Duration
        let from: ActivityState
        let to: ActivityState
        /// Tasks in its set after the change.
        let tasks: Int
        /// How long the state before had lasted, if that was seen.
        let lasted: Duration?
    }

    static let capacity = 32

    private(set) var entries: [Entry] = []

    mutating func add(from: ActivityState, to: ActivityState, tasks: Int, t: Duration) {
        let lasted = entries.first.map { t - $0.t }
        entries.insert(Entry(t: t, from: from, to: to, tasks: tasks, lasted: lasted), at: 0)
        if entries.count > Self.capacity { entries.removeLast() }
    }
}
