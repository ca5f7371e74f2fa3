internal import SluiceCore

/// What came to be known of one live task beside what the scheduler keeps.
///
/// Few tasks have any: those that were paused, failed before, or that the user changed.
struct TaskNotes: Equatable {
    /// How far a body is, in bytes.
    struct Progress: Equatable {
        var received: Int
        var expected: Int?
    }

    /// What its last transfer had brought of an answer.
    struct Answer: Equatable {
        var status: Int?
        /// Of the body.
        var bytes: Int
    }

    /// Why it waits or stands where it does, where that is worth telling.
    var reason: Why?
    /// The limit that the user set for it, in bytes a second.
    var rate: Int?
    /// Where it stood in the session that asked for it; only of a task that is paused because other rules of trust held
    /// there, until it is resumed.
    var former: FormerStand?
    /// The most bytes that one attempt brought, where one failed.
    var bestReceived = 0
    /// How far its transfer was when it was paused, as the last progress said.
    var pausedAt: Progress?
    /// What it had when it was paused or made to wait, until it runs again.
    var lastAnswer: Answer?
    /// The version of which its server, asked to continue it, sent what fits nothing: of that one it asks for all.
    var uncontinued: EntityValidator?
    /// What is stored can't be used: it asks without conditions from now on.
    var isUnconditional = false
    /// What is stored can't be read, and answers nobody who could not be answered by the origin either.
    var hasNoFallback = false
    /// Destinations at which no file can be made; `nil` is the usual name.
    var refusedPlaces: Set<ExactText?> = []

    var isEmpty: Bool { self == TaskNotes() }
}
