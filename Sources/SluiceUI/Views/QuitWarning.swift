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
        let queued = snapshot.queuedCount + state.pendingRequests
        if queued > 0 { facts.append("\(Format.count(queued)) queued") }
        if snapshot.waitingCount > 0 { facts.append("\(snapshot.waitingCount) waiting") }
        if snapshot.pausedCount > 0 { facts.append("\(snapshot.pausedCount) paused") }
        if state.awaitedLists > 0 { facts.append("\(Format.plural(state.awaitedLists, "list")) not read yet") }
        let map = state.configuration.keys
        let key = (state.mode == .prompt ? map.label(of: .clearOrQuit, in: .prompt) : map.label(of: .quit)) ?? "^C"
        let again = StyledText("\(key) again to quit", .wait)
        let what = StyledText(facts.joined(separator: ", "), .wait, bold: true)
        let isKept = state.configuration.keptIn != nil && !state.news.hasLostState
        let line = what + StyledText(isKept ? promise(state) : ": ", .wait) + again
        let brief = what + StyledText(": ", .wait) + again
        let first = StyledText(facts[0], .wait, bold: true) + StyledText(": ", .wait) + again
        if isKept { return [line, brief, first, again] }
        if state.configuration.isTemporary {
            return [line + .dim(" · nothing of the demo is kept"), brief, first, again]
        }
        if !state.configuration.recordsParts {
            return [
                line + .dim(" · what came so far is not kept, nor the queue"),
                line + .dim(" · nothing of it is kept"), brief, first, again,
            ]
        }
        return [
            line + .dim(" · partial files are kept, the queue is not"), line + .dim(" · the queue is not kept"), brief,
            first, again,
        ]
    }

    /// What becomes of it, where the queue is kept.
    private static func promise(_ state: AppState) -> String {
        let snapshot = state.snapshot
        // What was sent and is in no snapshot yet is kept like what is in its backlog.
        let left = snapshot.left + state.pendingRequests - snapshot.backlog
        if left == 0 {
            // Else prefetches, and what runs on without a request.
            let isListOnly = state.awaitedLists > 0 && state.liveTasks == 0
            return isListOnly ? ", and so not kept. " : " for the caches only, not kept. "
        }
        let isHeld = snapshot.pausedCount > 0 || snapshot.settings.suspended
        let all = snapshot.liveReceipts + state.pendingRequests
        // Of a list that is not read nothing is kept.
        let isAll = left >= all && state.awaitedLists == 0
        let kept = isAll ? "" : " · \(Format.plural(left, "request"))"
        return kept + (isHeld ? " will be there next start. " : " will resume next start. ")
    }
}
