internal import SluiceCore

/// What stands in the prompt between the first key that quits and the second.
enum QuitWarning {
    /// Longest first; the shortest keeps the key.
    ///
    /// Empty while nobody wants to quit.
    static func choices(_ state: AppState) -> [StyledText] {
        guard state.quitArmedUntil != nil else { return [] }
        let snapshot = state.snapshot
        var facts = ["\(snapshot.active.count) active"]
        if snapshot.queuedCount + snapshot.backlog > 0 {
            facts.append("\(Format.count(snapshot.queuedCount + snapshot.backlog)) queued")
        }
        if snapshot.waitingCount > 0 { facts.append("\(snapshot.waitingCount) waiting") }
        if snapshot.pausedCount > 0 { facts.append("\(snapshot.pausedCount) paused") }
        let map = state.configuration.keys
        let key = (state.mode == .prompt ? map.label(of: .clearOrQuit, in: .prompt) : map.label(of: .quit)) ?? "^C"
        let again = StyledText("\(key) again to quit", .wait)
        let what = StyledText(facts.joined(separator: ", "), .wait, bold: true)
        let isKept = state.configuration.keptIn != nil && !state.news.hasLostState
        let line = what + StyledText(isKept ? promise(snapshot) : ": ", .wait) + again
        let brief = what + StyledText(": ", .wait) + again
        let first = StyledText(facts[0], .wait, bold: true) + StyledText(": ", .wait) + again
        if isKept { return [line, brief, first, again] }
        if state.configuration.isTemporary {
            return [line + .dim(" · nothing of the demo is kept"), brief, first, again]
        }
        return [
            line + .dim(" · partial files are kept, the queue is not"), line + .dim(" · the queue is not kept"), brief,
            first, again,
        ]
    }

    /// What becomes of it, where the queue is kept.
    private static func promise(_ snapshot: PipelineSnapshot) -> String {
        // Prefetches, and what runs on without a request.
        if snapshot.left == 0 { return " for the caches only, not kept. " }
        let isHeld = snapshot.pausedCount > 0 || snapshot.settings.suspended
        let all = snapshot.liveReceipts + snapshot.backlog
        let kept = snapshot.left < all ? " · \(Format.plural(snapshot.left, "request"))" : ""
        return kept + (isHeld ? " will be there next start. " : " will resume next start. ")
    }
}
