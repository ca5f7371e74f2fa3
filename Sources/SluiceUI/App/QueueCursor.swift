internal import SluiceCore

/// The selected row of the queue, of which only a window is known.
struct QueueCursor: Sendable {
    /// From 1; 0 while the queue is empty.
    private(set) var position = 1
    private(set) var task: TaskID?
    /// Position of the first visible row, from 1.
    private(set) var top = 1
    /// What the pipeline was asked to show.
    var watched: QueueWindow?
    /// Rows around the visible ones that are watched too, so that small steps need no new window.
    static let margin = 30

    /// A snapshot came: finds the task again, or stays at the position.
    mutating func settle(_ snapshot: PipelineSnapshot, visible: Int) {
        let count = snapshot.queuedMatches ?? snapshot.queuedCount
        if let task, let index = snapshot.queued.firstIndex(where: { $0.task == task }) {
            position = snapshot.queuedFrom + index
        } else {
            position = min(max(1, position), max(1, count))
            task = position == 1 ? nil : snapshot.queuedRow(at: position)?.task
        }
        scroll(count: count, visible: visible)
    }

    mutating func move(to position: Int, _ snapshot: PipelineSnapshot, visible: Int) {
        let count = snapshot.queuedMatches ?? snapshot.queuedCount
        self.position = min(max(1, position), max(1, count))
        task = snapshot.queuedRow(at: self.position)?.task
        scroll(count: count, visible: visible)
    }

    /// Other rows are shown from now on: begins at the first.
    mutating func restart() { (position, top, task) = (1, 1, nil) }

    /// Other rows are shown from now on, and its task has another place: stays with it, in the same row of the screen.
    mutating func follow(to position: Int) {
        top = max(1, position - (self.position - top))
        self.position = position
    }

    /// The window to ask for, if the one that is watched does not hold the visible rows.
    mutating func wanted(count: Int, visible: Int, _ list: ListState) -> QueueWindow? {
        let last = min(top + visible - 1, max(count, 1))
        if let watched, watched.from <= top, watched.from + watched.count > last, watched.filter == list.filter,
            watched.isNarrowed == list.isNarrowed
        {
            return nil
        }
        let from = max(1, top - Self.margin)
        let window = QueueWindow(
            from: from,
            count: min(1_000, visible + 2 * Self.margin),
            filter: list.filter,
            isNarrowed: list.isNarrowed
        )
        watched = window
        return window
    }

    private mutating func scroll(count: Int, visible: Int) {
        let visible = max(1, visible)
        if position < top { top = position }
        if position >= top + visible { top = position - visible + 1 }
        top = max(1, min(top, count - visible + 1))
    }
}
