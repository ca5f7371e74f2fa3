internal import SluiceCore

/// Keys of the detail and of the finished list.
extension AppReducer {
    static func openDetail(_ state: inout AppState, _ now: Timestamp) {
        guard let task = state.inspectedTask else {
            if state.hidesAllRows { return say("no row to open", .dim, &state, now) }
            guard state.focus == .events, state.shownEventCount > 0 else {
                return say("no task to look at yet", .dim, &state, now)
            }
            // What a warning or a refusal says is often longer than its row.
            if let text = state.selectedEventText { return open(text, &state, now) }
            return say("this event has no task", .dim, &state, now)
        }
        openDetail(of: task, &state)
    }

    /// Shows all headers or the notable ones, or says why that makes no difference.
    static func toggleHeaders(_ state: inout AppState, _ now: Timestamp) {
        guard let subject = TaskDetail(state, now: now) else {
            return say("no task to look at yet", .dim, &state, now)
        }
        if let why = subject.whyNoMoreHeaders {
            say(why, .dim, &state, now)
            // Of an answer that is still to come all may be wanted beforehand.
            guard subject.head == nil, subject.end == nil else { return showAnswer(&state) }
        }
        state.detail.showsAllHeaders.toggle()
        if subject.head != nil { showAnswer(&state) }
    }

    /// Scrolls to the answer, which may be out of sight.
    private static func showAnswer(_ state: inout AppState) {
        if let offset = TaskDetailView.offsetOfAnswer(state) { state.detail.offset = offset }
    }

    static func openDetail(of task: TaskID, _ state: inout AppState) {
        // Of a picture that was opened from the detail, that one comes back: else each would lead to the other for ever.
        // One that nobody opened is a panel beside the picture, with no way back of its own.
        let isBack = state.focus == .preview && state.pictures.origin == .detail && state.detail.task != nil
        if state.focus != .detail, !isBack {
            state.detail.origin = state.focus
            state.detail.pictures = state.focus == .preview ? place(of: state) : nil
        }
        show(task, &state)
        state.focus = .detail
        state.isMaximised = false
    }

    /// - Returns: Whether there was a detail to leave.
    static func leaveDetail(_ state: inout AppState) -> Bool {
        guard state.focus == .detail else { return false }
        state.focus = state.detail.origin == .detail ? .active : state.detail.origin
        (state.detail.task, state.detail.awaited, state.detail.origin) = (nil, nil, .active)
        state.isMaximised = false
        if let place = state.detail.pictures {
            state.detail.pictures = nil
            reopen(place, &state)
        }
        return true
    }

    /// A task that takes the place of the one that is seen is shown, once it is known.
    static func awaitTask(for url: String, _ state: inout AppState) {
        if state.focus == .detail, state.detail.task != nil { state.detail.awaited = url }
    }

    /// Shows the new task of a URL that was tried again from the detail.
    static func follow(_ submission: Submission, _ state: inout AppState) {
        guard let task = submission.task, state.focus == .detail, state.detail.awaited == submission.url else { return }
        show(task, &state)
    }

    /// Goes to the task before or after, in the list that the detail was opened from.
    static func turnDetail(_ step: Int, _ state: inout AppState) {
        if let task = state.neighbour(step) { show(task, &state) }
    }

    /// Moves through the receipts, or the text where there is one receipt at most.
    static func moveDetail(_ action: KeyAction, _ state: inout AppState) {
        let claims = state.inspectedClaims.count
        let (page, last) = (max(1, TaskDetailView.rows(state)), TaskDetailView.lastOffset(state))
        func go(_ steps: Int) { state.detail.receipt = min(max(0, state.detail.receipt + steps), claims - 1) }
        // Where all of the text is in sight, pages are those of the receipts.
        let pagesReceipts = claims > 1 && last == 0
        switch action {
        case .pageDown where pagesReceipts: go(page)
        case .pageUp where pagesReceipts: go(-page)
        case .halfDown where pagesReceipts: go(max(1, page / 2))
        case .halfUp where pagesReceipts: go(-max(1, page / 2))
        case .down where claims > 1: go(1)
        case .up where claims > 1: go(-1)
        case .down: state.detail.offset += 1
        case .up: state.detail.offset -= 1
        case .pageDown: state.detail.offset += page
        case .pageUp: state.detail.offset -= page
        case .halfDown: state.detail.offset += max(1, page / 2)
        case .halfUp: state.detail.offset -= max(1, page / 2)
        case .first: (state.detail.offset, state.detail.receipt) = (0, 0)
        case .last: (state.detail.offset, state.detail.receipt) = (last, max(0, claims - 1))
        default: break
        }
        state.detail.offset = min(max(0, state.detail.offset), last)
    }

    /// The receipt that `X` cancels: the one chosen in the detail, else the newest.
    static func receiptToCancel(_ task: TaskID, _ state: AppState) -> ReceiptID? {
        if state.focus == .detail {
            let claims = state.inspectedClaims
            guard claims.indices.contains(state.detail.receipt) else { return nil }
            let claim = claims[state.detail.receipt]
            return claim.outcome == nil && !state.news.cancelling.contains(claim.receipt) ? claim.receipt : nil
        }
        return state.news.receipts.receipts(of: task, limit: 1).first
    }

    /// Asks for what the screen shows beyond rows, where that changed.
    static func inspect(_ state: inout AppState, _ change: inout Change) {
        let layout = state.layout
        let cacheRows = layout.rows(in: .cache)
        var wanted = Inspection()
        if layout.panels[.detail] != nil { wanted.task = state.inspectedTask }
        // Whether it lives must be known by the time at which its limit is entered.
        if let limited = state.prompt.limited?.task { wanted.task = limited }
        if cacheRows >= 18 { wanted.largest = min(60, cacheRows) }
        guard wanted != state.detail.asked else { return }
        state.detail.asked = wanted
        change.send(.inspect(wanted))
    }

    private static func show(_ task: TaskID, _ state: inout AppState) {
        if state.detail.task != task { (state.detail.offset, state.detail.receipt) = (0, 0) }
        (state.detail.task, state.detail.awaited) = (task, nil)
    }
}

extension AppState {
    /// Whether there is a task to turn to from the one in the detail, for a hint: lists of thousands are only counted.
    var hasNeighbour: Bool {
        switch detail.origin {
        case .finished: inspectedTask != nil && shownEndedCount > 1
        case .events: inspectedTask != nil && news.ended.count > 1
        case .queued, .failed, .active, .cache, .network, .preview, .detail:
            neighbour(1) != nil || neighbour(-1) != nil
        }
    }

    /// The task before or after the one in the detail, in the list that it was opened from.
    ///
    /// - Parameter step: `1` for the one after it, `-1` for the one before.
    /// - Returns: `nil` at the end of the list, and where its neighbours are not known.
    func neighbour(_ step: Int) -> TaskID? {
        guard let task = inspectedTask else { return nil }
        switch detail.origin {
        case .queued:
            guard case .queued(let position)? = snapshot.inspected?.row.state else { return nil }
            return snapshot.queuedRow(at: position + step)?.task
        case .finished:
            let current = (0..<shownEndedCount).first { endedRow(at: $0)?.end.task == task }
            // Where its row is gone, the cursor stands on the one that came after it.
            return endedRow(at: current.map { $0 + step } ?? endedRowIndex + min(0, step))?.end.task
        case .events:
            let current = (0..<news.ended.count).first { news.ended[age: $0].end.task == task }
            let age = (current ?? -1) + step
            // Earlier sessions have no events here.
            guard (0..<news.ended.count).contains(age), !news.ended[age: age].isEarlier else { return nil }
            return news.ended[age: age].end.task
        case .failed:
            let tasks = failedRows.compactMap(\.id.task)
            guard let index = tasks.firstIndex(of: task), tasks.indices.contains(index + step) else { return nil }
            return tasks[index + step]
        case .active, .cache, .network, .preview, .detail:
            let tasks = activeRows.map(\.task)
            guard let index = tasks.firstIndex(of: task) else { return tasks.first }
            return tasks.indices.contains(index + step) ? tasks[index + step] : nil
        }
    }
}
