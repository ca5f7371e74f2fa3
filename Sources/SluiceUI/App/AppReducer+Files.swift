internal import SluiceCore

/// Files, URLs and rows of what ended.
extension AppReducer {
    /// The tasks that ended which an action is for.
    static func ends(_ state: AppState) -> [TaskEnd] {
        switch state.focus {
        case .finished:
            let seqs = targets(.finished, state)
            return seqs.map { state.news.ended[age: state.news.ended.age(ofSeq: $0)].end }
        case .events:
            return targets(.events, state).compactMap { seq in
                if case .taskFinished(let end) = state.news.log[age: state.news.log.age(ofSeq: seq)].kind {
                    end
                } else {
                    nil
                }
            }
        case .detail: return state.inspectedTask.flatMap { state.record(of: $0)?.end }.map { [$0] } ?? []
        case .preview: return state.picturedEnd.map { [$0] } ?? []
        default: return []
        }
    }

    /// Selected rows that hints look at for each frame: more of them are taken to have what a key needs.
    private static let glance = 500

    /// Whether keys for files find one.
    static func hasFiles(_ state: AppState) -> Bool { hasEnd(state) { $0.file != nil } }

    /// Whether one of them is this session's: what others saved stays.
    static func hasOwnFiles(_ state: AppState) -> Bool { hasEnd(state) { $0.file != nil && !$0.isEarlier } }

    /// Whether something of what is selected can be tried again.
    static func hasRetries(_ state: AppState) -> Bool { hasEnd(state, where: state.canTakeBack) }

    /// Whether one of ``ends(_:)`` fits, without all of them being made.
    private static func hasEnd(_ state: AppState, where fits: (TaskEnd) -> Bool) -> Bool {
        let selection = state[list: state.focus].selection
        guard !selection.isEmpty else { return ends(state).contains(where: fits) }
        let span = selection.span(cursor: state.cursorRow?.index ?? 0)
        guard selection.rows.count <= glance, (span?.count ?? 0) <= glance else { return true }
        func isFitting(_ end: TaskEnd?) -> Bool { end.map(fits) ?? false }
        switch state.focus {
        case .finished:
            return selection.rows.contains { isFitting(end(ofRow: $0, state)) }
                || span?.contains { isFitting(state.endedRow(at: $0)?.end) } ?? false
        case .events:
            return selection.rows.contains { isFitting(end(ofEvent: $0, state)) }
                || span?.contains { isFitting(state.eventRow(at: $0)?.end) } ?? false
        default: return false
        }
    }

    private static func end(ofRow seq: Int, _ state: AppState) -> TaskEnd? {
        guard state.news.ended.count > 0 else { return nil }
        let task = state.news.ended[age: state.news.ended.age(ofSeq: seq)]
        return task.seq == seq ? task.end : nil
    }

    private static func end(ofEvent seq: Int, _ state: AppState) -> TaskEnd? {
        guard state.news.log.count > 0 else { return nil }
        let entry = state.news.log[age: state.news.log.age(ofSeq: seq)]
        return entry.seq == seq ? entry.end : nil
    }

    /// Tries everything again that is selected, and failed or was aborted.
    ///
    /// - Returns: Whether anything was selected.
    static func retrySelected(_ state: inout AppState, _ change: inout Change, _ now: Timestamp) -> Bool {
        guard !state[list: state.focus].selection.isEmpty else { return false }
        let listed = Set(state.news.failed.tasks.flatMap(\.tasksToRetry))
        let failed = ends(state).filter { $0.outcome == .failed && listed.contains($0.task) }
        let aborted = ends(state).filter { $0.outcome == .cancelled && !state.takenBack.contains($0.task) }
        guard !failed.isEmpty || !aborted.isEmpty else {
            say("nothing selected failed or was cancelled", .dim, &state, now)
            return true
        }
        for end in failed + aborted {
            for task in state.takeBack(end) { change.send(.steer(.retry, .task(task))) }
        }
        state[list: state.focus].selection.clear()
        let counts = [(failed.count, "failed task"), (aborted.count, "cancelled task")].filter { $0.0 > 0 }
        let words = counts.map { Format.plural($0.0, $0.1) }.joined(separator: " and ")
        say("trying \(words) again", .bright, &state, now)
        return true
    }

    /// Opens the saved file as the desktop does.
    static func open(_ state: inout AppState, _ change: inout Change, _ now: Timestamp) {
        guard let path = ends(state).lazy.compactMap(\.file).first else {
            return say("no saved file here to open", .dim, &state, now)
        }
        change.effects.append(.open(path: path))
        say("opening \(path)", .dim, &state, now)
    }

    static func copyPaths(_ state: inout AppState, _ change: inout Change, _ now: Timestamp) {
        let paths = ends(state).compactMap(\.file)
        guard !paths.isEmpty else {
            return say(state.keyed("no saved file here", .copyURL, "copies the URL"), .dim, &state, now)
        }
        copy(paths, "path", &state, &change, now)
    }

    static func copyURLs(_ state: inout AppState, _ change: inout Change, _ now: Timestamp) {
        let urls: [String]
        switch state.focus {
        case .active:
            let tasks = Set(targets(.active, state))
            urls = state.activeRows.filter { tasks.contains($0.task.rawValue) }.map(\.url)
        case .queued: return copyQueuedURLs(&state, &change, now)
        case .detail: urls = state.inspectedURL.map { [$0] } ?? []
        case .failed: urls = state.selectedFailed.map { [$0.url] } ?? []
        case .preview: urls = state.picturedURL.map { [$0] } ?? []
        default: urls = ends(state).map(\.url)
        }
        guard !urls.isEmpty else { return say("no URL here", .dim, &state, now) }
        copy(urls, "URL", &state, &change, now)
    }

    /// Of a queue only those in sight are known here; that some are not is said.
    private static func copyQueuedURLs(_ state: inout AppState, _ change: inout Change, _ now: Timestamp) {
        let (selection, cursor) = (state[list: .queued].selection, state.queueCursor.position)
        let rows = state.snapshot.queued.enumerated().filter { offset, row in
            let position = state.snapshot.queuedFrom + offset
            if selection.isEmpty { return position == cursor }
            return selection.contains(row.task.rawValue, index: position, cursor: cursor)
        }
        let count = state.selectedCount(in: .queued)
        guard !rows.isEmpty else {
            return say(count > 0 ? "too far from the cursor to be known here" : "no URL here", .dim, &state, now)
        }
        copy(rows.map(\.element.url), "URL", &state, &change, now)
        guard rows.count < count else { return }
        let words = "copied \(rows.count) of \(Format.count(count)) URLs: the others are too far from the cursor"
        say(words + " to be known here", .wait, &state, now)
    }

    private static func copy(
        _ texts: [String],
        _ what: String,
        _ state: inout AppState,
        _ change: inout Change,
        _ now: Timestamp
    ) {
        change.effects.append(.copy(texts.joined(separator: "\n")))
        let text = texts.count == 1 ? "copied \(texts[0])" : "copied \(Format.plural(texts.count, what))"
        say(text, .ok, &state, now)
    }

    /// Takes rows out of the list, and forgets failures with theirs; files and downloads stay.
    static func removeRows(_ state: inout AppState, _ change: inout Change, _ now: Timestamp) {
        switch state.focus {
        case .failed: forget(&state, &change, now)
        case .finished, .events:
            let rows = targets(state.focus, state)
            guard !rows.isEmpty else { return say("no row to remove", .dim, &state, now) }
            let gone = Set(rows)
            let isFinished = state.focus == .finished
            // The cursor stays at its row, or goes to the next one that stays.
            let index = (0..<(state.cursorRow?.index ?? 0)).count { place in
                let seq = isFinished ? state.endedRow(at: place)?.seq : state.eventRow(at: place)?.seq
                return seq.map { !gone.contains($0) } ?? false
            }
            forget(ends(state), rowCount: rows.count, &state, &change, now)
            if isFinished { state.endedIndex.hide(rows) } else { state.eventIndex.hide(rows) }
            state[list: state.focus].selection.clear()
            state.refreshLists()
            place(cursorAt: min(index, max(0, state.shownCount - 1)), &state)
        case .active, .queued:
            say(state.keyed("only rows of what ended can be taken away", .abort, "aborts a task"), .dim, &state, now)
        default: say("no row to remove", .dim, &state, now)
        }
    }

    /// Asks before files are deleted.
    static func askDelete(_ state: inout AppState, _ now: Timestamp) {
        let saved = ends(state).filter { $0.file != nil }
        let files = saved.filter { !$0.isEarlier }.compactMap(\.file)
        guard !files.isEmpty else {
            let words = saved.isEmpty ? "no saved file here to delete" : "only files of this session are deleted here"
            return say(words, .dim, &state, now)
        }
        state.mode = .question(.deleteFiles(files))
    }

    static func delete(_ files: [String], _ state: inout AppState, _ change: inout Change) {
        state.deletedFiles = 0
        for file in files { change.send(.deleteFile(file)) }
        state[list: state.focus].selection.clear()
    }

    /// Says which file is gone, or how many are of those that were deleted together; their events may come apart.
    ///
    /// A recording has said it, and where lines are typed each event is one.
    static func sayDeleted(_ paths: Set<String>, _ state: inout AppState, _ now: Timestamp) {
        guard let path = paths.first, state.hasKeys, state.replay == nil else { return }
        state.deletedFiles += paths.count
        if state.message?.role == .bad { return }
        let name = PathText.name(of: path)
        let what = state.deletedFiles == 1 ? shown(name) : Format.plural(state.deletedFiles, "file")
        say("deleted \(what)", .ok, &state, now)
    }

    /// Takes the rows of files that are gone, and those that were replaced, out of the list; the cursor of one of them
    /// goes to the next that stays.
    static func hideGone(_ state: inout AppState, _ change: inout Change) {
        if change.deleted.isEmpty, change.replaced.isEmpty { return }
        // What ended in the same batch has its row first: the cursor's place is counted with it.
        state.refreshLists()
        let (ended, deleted) = (state.news.ended, change.deleted)
        var gone = change.replaced
        if !deleted.isEmpty {
            let rows = (0..<ended.count).lazy.map { ended[age: $0] }
            gone.formUnion(rows.filter { $0.end.file.map(deleted.contains) ?? false }.map(\.seq))
        }
        let cursor = state.endedRowIndex
        let chosen = state.endedRow(at: cursor)?.seq
        let above = (0..<cursor).count { index in state.endedRow(at: index).map { !gone.contains($0.seq) } ?? false }
        state.endedIndex.hide(gone)
        for row in gone { state[list: .finished].selection.forget(row) }
        (change.deleted, change.replaced) = ([], [])
        state.refreshLists()
        guard state.endedRow(at: state.endedRowIndex)?.seq != chosen else { return }
        // Where nobody chose a row, the first one has it again; who deletes in the list has chosen.
        guard state.finishedCursor.id != nil || state.focus == .finished else { return }
        placeEnded(cursorAt: min(above, max(0, state.shownEndedCount - 1)), &state)
    }
}

extension EventRows.Entry {
    /// Of the task that ended, if it tells of one.
    fileprivate var end: TaskEnd? {
        if case .taskFinished(let end) = kind { end } else { nil }
    }
}

extension AppState {
    /// Whether a task failed or was cancelled, and was neither tried again since nor forgotten.
    ///
    /// Of what failed, by its URL: that is found at once, and hints ask for each frame.
    func canTakeBack(_ end: TaskEnd) -> Bool {
        switch end.outcome {
        case .success: false
        case .failed: news.failed.contains(url: end.url)
        case .cancelled: !takenBack.contains(end.task)
        }
    }

    /// The URL of the task that the detail shows.
    var inspectedURL: String? {
        guard let task = inspectedTask else { return nil }
        if let facts = snapshot.inspected, facts.task == task { return facts.row.url }
        return record(of: task)?.end?.url
    }
}
