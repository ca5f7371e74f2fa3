internal import SluiceCore

/// When nothing is left that goes on by itself: all that lives is paused, or stands in a suspended queue.
///
/// Behind the end of the input nobody can resume it by a line, so that to wait for it would be to wait for ever.
enum PlainStall {
    /// Whether a snapshot shows that; one in which nothing lives does not, since then the pipeline ends by itself.
    static func isReached(_ snapshot: PipelineSnapshot) -> Bool {
        let live = snapshot.active.count + snapshot.queuedCount + snapshot.waitingCount + snapshot.pausedCount
        // Those that are answered from a disk stand in no row.
        let answering = snapshot.counts.tasks - snapshot.counts.ended - live
        let held = snapshot.pausedCount + suspendedCount(snapshot)
        return held > 0 && held == live && answering <= 0 && snapshot.backlog == 0
    }

    /// - Parameters:
    ///   - state: Of which ``isReached(_:)`` holds.
    ///   - staysForPrograms: Whether programs may still resume it.
    /// - Returns: What stands still and why, and what becomes of it.
    static func lines(_ state: AppState, staysForPrograms: Bool) -> [String] {
        let snapshot = state.snapshot
        let (paused, suspended) = (snapshot.pausedCount, suspendedCount(snapshot))
        var facts: [String] = []
        if paused > 0 { facts.append("\(Format.plural(paused, "task")) \(paused == 1 ? "is" : "are") paused") }
        if suspended > 0 { facts.append("the queue is suspended, with \(Format.plural(suspended, "task")) in it") }
        let first = "The input has ended, and nothing goes on by itself: \(facts.joined(separator: ", and "))."
        return [first, staysForPrograms ? "Programs may resume it: sluice ctl resume." : words(state)]
    }

    /// What becomes of all that stands still.
    private static func words(_ state: AppState) -> String {
        let left = state.snapshot.left
        guard state.configuration.keptIn != nil, !state.news.hasLostState else { return "Nothing of it is kept." }
        // Prefetches alone: nobody asked for their files.
        if left == 0 { return "It was for the caches only, and is not kept." }
        let verb = left == 1 ? "is" : "are"
        return "\(Format.plural(left, "request")) \(verb) kept: start sluice, and resume, to go on."
    }

    /// Tasks that a suspended queue keeps from starting; a retry that comes due does not start there either.
    private static func suspendedCount(_ snapshot: PipelineSnapshot) -> Int {
        snapshot.settings.suspended ? snapshot.queuedCount + snapshot.waitingCount : 0
    }
}
