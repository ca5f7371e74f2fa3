internal import SluiceCore

/// What is known of live tasks beside what the scheduler keeps, until they end.
///
/// A task of which nothing is known has no entry, and costs no hash where no other has one either: nearly all have none.
struct TaskNotebook {
    private var notes: [TaskID: TaskNotes] = [:]
    private var targets: [TaskID: TaskTarget] = [:]

    /// Whether nothing is known of any task.
    var isEmpty: Bool { notes.isEmpty && targets.isEmpty }

    /// What came to be known of a task.
    ///
    /// Where several of these are looked at, they are read once.
    subscript(task: TaskID) -> TaskNotes {
        get { notes[task] ?? TaskNotes() }
        set { notes[task] = newValue.isEmpty ? nil : newValue }
    }

    /// What was known of a task when it was made.
    func target(of task: TaskID) -> TaskTarget { targets[task] ?? TaskTarget() }

    /// Takes what is known of a task that was just made.
    mutating func add(_ target: TaskTarget, of task: TaskID) {
        if !target.isEmpty { targets[task] = target }
    }

    /// A task is over: nothing that was known of it is left.
    mutating func forget(_ task: TaskID) {
        // Looking there costs a hash.
        if !notes.isEmpty { notes[task] = nil }
        if !targets.isEmpty { targets[task] = nil }
    }
}
