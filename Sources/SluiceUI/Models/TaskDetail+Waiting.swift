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
        if state.lacksRoom { return .diskFull }
        let active = snapshot.active
        if settings.maxPerHost > 0, !row.host.isEmpty,
            active.count(where: { $0.host == row.host }) >= settings.maxPerHost
        {
            return .hostFull(limit: settings.maxPerHost)
        }
        if hasNoSlot {
            return .slotsTaken(active: active.count, limit: settings.maxActive, ahead: position - 1)
        }
        // With a slot free it starts in a moment, or waits for something that is told nowhere.
        let share = DownloadScheduler.prefetchShare
        let isHeld = Self.isPrefetch(row) && active.count(where: Self.isPrefetch) >= share
        return isHeld ? .prefetchShare(limit: share) : nil
    }

    private static func isPrefetch(_ row: PipelineSnapshot.Row) -> Bool {
        // Who joins one takes it out of the share.
        if case .prefetch = row.source { row.receipts == 1 } else { false }
    }

    private var hasNoSlot: Bool { state.snapshot.active.count >= state.snapshot.settings.maxActive }

    /// Whether a cause that was told holds no longer, as far as the snapshot tells.
    func isOver(_ why: Why) -> Bool {
        if case .slotsTaken = why { !hasNoSlot } else { false }
    }

    func waitLines(_ room: Int) -> [Line] {
        guard let waits else { return [] }
        return TextWrap.lines(waits.sentence(now: now), columns: room, limit: lineLimit).enumerated().map { line in
            .fact(line.offset == 0 ? "waits" : "", .plain(line.element))
        }
    }
}
