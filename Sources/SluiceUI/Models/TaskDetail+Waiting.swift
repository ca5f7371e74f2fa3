internal import SluiceCore

/// What a task waits for now, as the snapshot tells it.
extension TaskDetail {
    /// Whether a recorded session ended without an outcome of it.
    var isLeft: Bool { state.snapshot.hasEnded && row != nil && end == nil }

    /// Why it is queued now, whatever held it when it was submitted; `nil` if nothing tells, or it is not queued.
    ///
    /// Looks at the causes in the order in which the pipeline does.
    var waits: Why? {
        guard !isLeft, let row, case .queued(let position) = row.state, position > 0 else { return nil }
        let (snapshot, settings) = (state.snapshot, state.snapshot.settings)
        if settings.suspended { return .queueSuspended }
        if snapshot.neededSpace != nil { return .diskFull }
        let active = snapshot.active
        if settings.maxPerHost > 0, !row.host.isEmpty,
            active.count(where: { $0.host == row.host }) >= settings.maxPerHost
        {
            return .hostFull(limit: settings.maxPerHost)
        }
        // With a slot free it starts in a moment, or waits for something that is told nowhere.
        guard active.count >= settings.maxActive else { return nil }
        return .slotsTaken(active: active.count, limit: settings.maxActive, ahead: position - 1)
    }

    func waitLines(_ room: Int) -> [Line] {
        guard let waits else { return [] }
        return TextWrap.lines(waits.sentence(now: now), columns: room, limit: lineLimit).enumerated().map { line in
            .fact(line.offset == 0 ? "waits" : "", .plain(line.element))
        }
    }
}
