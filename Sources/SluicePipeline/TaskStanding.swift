internal import SluiceCore

/// What the user made of a task, which the one that takes its place keeps.
struct TaskStanding: Equatable {
    /// In bytes per second; `nil` without a limit of its own.
    var rate: Int?
    /// What the user set; `nil` where its receipts decide.
    var priority: Priority?
    /// Whether it was paused.
    var isPaused = false
    /// Whether it had begun, and goes before those that have not.
    var hasBegun = false

    /// Why what takes its place does not start; `nil` where it may.
    var whyHeldBack: Why? { isPaused ? .heldBack : nil }
}
