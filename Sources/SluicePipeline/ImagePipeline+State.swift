public import SluiceCore

/// Keeping the state, and going on from what was kept.
extension ImagePipeline {
    /// Goes on from what earlier processes left; to be called once, if the configuration says that it will be.
    public nonisolated func remember(_ state: RememberedState) { post(.remembered(state)) }

    func take(_ state: RememberedState) {
        guard journal.isLoading else { return }
        journal.isLoading = false
        if let problem = state.problem { warn(ofUnread: problem) }
        if !state.elsewhere.isEmpty { warn(.otherDirectory, BegunElsewhere.sentence(of: state.elsewhere), task: nil) }
        if state.isSuspended { change(SettingChange(name: "suspended", value: .flag(true))) }
        // Of what was asked for once nobody goes on with a part: it gives way like any other leftover.
        for part in state.parts where MergeKey.Text(part.key).urlOfOnce == nil { parts[part.key] = part }
        knownFiles.restore(state.files)
        for record in state.failed {
            // This session's own setting bounds what an earlier one remembered.
            let left = min(Duration.seconds(record.until) - .nanoseconds(wallClock), settings.failedFor)
            if left > .zero { failed.insert(record.key, url: record.url, record.error, until: now + left) }
        }
        restoring = RestoredQueue(state.requests, isSuspended: state.isSuspended)
    }

    private func warn(ofUnread problem: StateProblem) {
        guard problem.mayPass else { return warn(.stateDamaged, problem.message, task: nil) }
        // As if something could not be written: the end of that is told, too.
        journal.problem = problem
        let what = "what earlier sessions left stays for a later start"
        warn(.state, "\(what): \(problem.message)", task: nil)
    }

    /// Submits a request of an earlier session again, where it stood.
    func restore(_ restored: RestoredRequest) {
        scheduler.order = .fifo
        let wait = timeLeft(restored)
        restoring.isWaiting = wait != nil
        // What was paused, or waits, must not start on the way back.
        if restored.isPaused || wait != nil { scheduler.isSuspended = true }
        submit(restored.request)
        if let task = restoring.task {
            keepPlace(of: task)
        } else {
            // Answered, or refused: there is nothing left of it.
            keep(.restoredEnded(restored.row))
        }
        (scheduler.order, scheduler.isSuspended) = (settings.order, isSuspended)
        if restored.isPaused, let task = restoring.task {
            _ = pause(task, why: restored.mayHaveReachedServer ? restoring.whyPaused : nil)
            noteProgress(of: task, restored)
        } else if let wait, let task = restoring.task,
            scheduler.restoreWait(task, until: now + wait, delay: wait)
        {
            notebook[task].reason = .restoredWaiting
            changed(task, .waiting, reason: .restoredWaiting, until: now + wait, delay: wait)
        }
        restoring.end()
    }

    /// How long a task still has to wait for its next attempt; never longer than this session would wait for any, since
    /// the calendar may have been set meanwhile.
    private func timeLeft(_ restored: RestoredRequest) -> Duration? {
        guard let until = restored.waitsUntil, until > wallClock else { return nil }
        let (left, longest) = (Duration.nanoseconds(until - wallClock), settings.maxRetryAfter)
        // Zero is no limit.
        return longest == .zero ? left : min(left, longest)
    }

    /// Lets a paused task show how far an earlier session came with it.
    private func noteProgress(of id: TaskID, _ restored: RestoredRequest) {
        guard let received = restored.received, let task = scheduler.task(id), let part = parts[task.key.text],
            part.validator != nil
        else { return }
        notebook[id].pausedAt = .init(received: received, expected: part.total)
    }

    /// Nanoseconds since 1970 at this turn.
    var wallClock: Int64 { startWallClock + (now - startTime).nanoseconds }

    // MARK: Changes

    func keep(_ change: @autoclosure () -> StateChange) {
        guard journal.keeper != nil, !journal.hasFailed else { return }
        journal.changes.append(change())
    }

    func keepQueue(_ change: @autoclosure () -> StateChange) {
        if journal.keepsQueue { keep(change()) }
    }

    func keepRequest(_ demand: Demand, _ receipt: ReceiptID, _ task: TaskID) {
        guard journal.keepsQueue, demand.request.source.isKept else { return }
        restoring.task = task
        keepPlace(of: task)
        // Before it starts, so that not even its first bytes come faster.
        if let rate = restoring.current?.rate {
            notebook[task].rate = rate
            keep(.rate(task, rate))
        }
        var record = RequestRecord(task: task, receipt: receipt, key: demand.key.historyText, request: kept(demand))
        record.restored = restoring.current?.row
        keep(.request(record))
    }

    /// The request as a session has to submit it that has no command line, to mean the same download.
    private func kept(_ demand: Demand) -> DownloadRequest {
        let (url, user) = (demand.url, demand.user)
        var request = demand.request
        guard url.isNetwork else { return request }
        // What netrc says stays there, for whoever reads it next time.
        let isOwn = url.credentials == nil && !configuration.hostRules.isOfNetrc(user, for: url)
        if isOwn, let user, let whole = url.text(with: user) { request.url = whole }
        request.options = journal.options.options(request.options, for: url, configuration.hostRules)
        return request
    }

    /// Keeps where a task stands now.
    func keepPlace(of id: TaskID) {
        guard journal.keepsQueue, let task = scheduler.task(id) else { return }
        if case .active = task.phase { return keepSlot(of: id) }
        // When its time comes it goes before those that only queue.
        if case .waiting = task.phase {
            return keepRecord(of: task, band: TaskRecord.activeBand, rank: TaskRecord.waitingRank)
        }
        let band = scheduler.band(of: id) ?? TaskQueue.Band(task.priority)
        if scheduler.position(of: id) != nil, scheduler.rank(id) == nil {
            for (other, _) in scheduler.rankAnew(around: id) { keepRecord(of: other, band) }
            return
        }
        keepRecord(of: id, band)
    }

    /// Keeps that a task runs: the next session goes on with it first, in whatever order the others stand.
    func keepSlot(of id: TaskID) {
        guard journal.keepsQueue, let task = scheduler.task(id), case .active(let transfer) = task.phase else { return }
        keepRecord(of: task, band: TaskRecord.activeBand, rank: Int64(transfer.rawValue))
    }

    private func keepRecord(of id: TaskID, _ band: TaskQueue.Band) {
        guard let task = scheduler.task(id) else { return }
        keepRecord(of: task, band: band.rawValue, rank: task.rank)
    }

    private func keepRecord(of task: DownloadTask, band: Int, rank: Int64) {
        let id = task.id
        var record = TaskRecord(task: id, band: band, rank: rank)
        record.isPaused = task.phase == .paused
        if case .waiting(let until, _) = task.phase { record.waitsUntil = wallClock + (until - now).nanoseconds }
        if scheduler.isPriorityFixed(id) { record.priority = task.priority }
        keep(.task(record))
    }

    func keepEnd(of receipt: ReceiptID, _ task: TaskID) {
        // The end of a task is the end of all its requests.
        guard journal.keepsQueue, inScheduler({ $0.task(task) != nil }) else { return }
        keep(.receiptEnded(task, receipt))
    }

    func keepEnd(of task: TaskID) { keepQueue(.taskEnded(task)) }

    /// A file got its usual name, or one that a request gave it: it is the known body of its key from now on.
    func know(_ file: SavedFile, for key: MergeKey, isNamed: Bool) {
        let owner = knownFiles.insert(file, key, isNamed: isNamed, isKept: keepKnown(file, key))
        keepNoFile(file, of: owner, but: key)
    }

    /// A file got its name that has the bytes of the known one of a key.
    func know(copy file: SavedFile, for key: MergeKey, isNamed: Bool) {
        let owner = knownFiles.insertCopy(file, key, isNamed: isNamed)
        _ = keepKnown(file, key)
        keepNoFile(file, of: owner, but: key)
    }

    /// What is at a path is the body of its earlier owner no more.
    private func keepNoFile(_ file: SavedFile, of owner: String?, but key: MergeKey) {
        // What is asked for once has the same key in the history each time, and none that others have.
        guard let owner, owner != key.historyText, let directory = configuration.directory else { return }
        keep(.noFile(KnownFile(key: owner, directory: directory, file: file)))
    }

    /// Keeps a known file for later sessions.
    ///
    /// - Returns: Whether there is a history.
    private func keepKnown(_ file: SavedFile, _ key: MergeKey) -> Bool {
        guard journal.keeper != nil, let directory = configuration.directory else { return false }
        keep(.file(KnownFile(key: key.historyText, directory: directory, file: file)))
        return true
    }

    /// Remembers a failure by its key; the next session, which knows no task to try again, asks for `url`.
    func remember(failure error: DownloadError, of key: MergeKey, url: String) {
        let until = now + settings.failedFor
        failed.insert(key, error.withoutBody, until: until)
        keepFailure(key.text, url: url, error, until: until)
    }

    private func keepFailure(_ key: String, url: String, _ error: DownloadError, until: Timestamp) {
        let end = Int((Duration.nanoseconds(wallClock) + (until - now)).components.seconds)
        keepQueue(.failed(FailedRecord(key: key, url: url, error: error, until: end)))
    }

    /// Keeps how long failures are remembered, which changed for all of them.
    func keepFailures() {
        guard journal.keepsQueue else { return }
        for (key, entry) in failed.all { keepFailure(key, url: entry.url, entry.error, until: entry.until) }
    }

    /// Forgets the failures that a change may have cured.
    func forgetFailures(where isCured: (DownloadError) -> Bool) {
        for key in failed.clear(where: isCured) { keepQueue(.notFailed(key)) }
    }

    func forgive(_ key: MergeKey) {
        if failed.remove(key) { keepQueue(.notFailed(key.text)) }
    }

    /// Forgets what failed of one URL, or of all.
    func forgetFailures(of url: String?) {
        let keys = url.map { failed.remove(url: $0) } ?? failed.removeAll()
        for key in keys { keepQueue(.notFailed(key)) }
    }

    /// Records the parts that would be a loss: those that are large, or took long.
    func keepLargeParts() {
        guard journal.keeper != nil, !journal.hasFailed else { return }
        for active in transfers.values where active.step == .receiving {
            let body = active.body
            if now - active.flushed >= Self.longTime {
                active.flushed = now
                if let file = body.file { files?.flush(file) }
            }
            guard active.keptPart == nil, isWorthKeeping(active), let record = record(of: active) else { continue }
            active.keptPart = record.location
            keep(.part(record))
        }
    }

    /// Whether it would take long to bring once more what came.
    func isWorthKeeping(_ active: ActiveTransfer) -> Bool {
        active.body.count >= Self.largePart || now - active.started >= Self.longTime
    }

    private static let largePart = 262_144
    private static let longTime = Duration.seconds(1)

    // MARK: The gate

    /// Hands over what changed in this turn; where no more is to be expected, nothing waits for it.
    func flushState(all: Bool = false) {
        if !hasLiveTasks { responses?.hasten() }
        // An empty lot makes the keeper try those that wait.
        let mustRetry = journal.retryTime.map { $0 <= now } ?? false
        guard let keeper = journal.keeper, !journal.changes.isEmpty || mustRetry else { return }
        let isDue = stateDeadline.map { $0 <= now } ?? true || !hasLiveTasks
        guard journal.keepsQueue || all || journal.mustSaveNow || isDue else { return }
        let (number, changes) = journal.takeLot(now: now)
        keeper.save(changes) { [self] problem in
            post(Inbox.Saved(number: number, problem: problem))
        }
    }

    /// Hands over what a long command changed, and reports what of it is safe, while the command goes on.
    ///
    /// The store writes meanwhile, and neither changes nor news pile up. Cheap while a lot is not full.
    func handOverLot() {
        guard journal.keepsQueue, journal.changes.count >= StateJournal.mostUnsafe else { return }
        flushState()
        let saved = inbox.withLock { inbox in
            defer { inbox.saved = nil }
            return inbox.saved
        }
        if let saved { stateSaved(saved) }
    }

    /// Whether caches and history would outlive the process as they are now, as far as they can be kept.
    var isKept: Bool { journal.isSettled && responses?.isWritten ?? true }

    var hasLiveTasks: Bool { inScheduler { $0.liveCount > 0 } }

    /// When changes that wait for others are handed over.
    var stateDeadline: Timestamp? {
        guard !journal.changes.isEmpty else { return journal.retryTime }
        return journal.handedAt.map { $0 + StateJournal.interval }
    }

    func stateSaved(_ saved: Inbox.Saved) {
        journal.settle(upTo: saved.number)
        let known = journal.problem
        journal.problem = saved.problem
        if let problem = saved.problem {
            if journal.hasFailed, known?.mayPass != false {
                warn(.state, "nothing more is kept for next time: \(problem.message)", task: nil)
            } else if known == nil {
                let what = "what happens is not kept for next time until this passes"
                warn(.state, "\(what): \(problem.message)", task: nil)
            }
        } else if known != nil {
            warn(.stateKept, "what happens is kept for next time again, and nothing is missing", task: nil)
        }
        releaseHeld()
    }

    /// Reports what the safe changes have made true.
    func releaseHeld() {
        while let first = journal.held.first, first.after <= journal.safe {
            let (_, held) = first
            _ = journal.held.popFirst()
            switch held {
            case .event(let event, let kind): deliver(event, kind)
            case .call(let call): call()
            case .publish(let transfer, let image): publish(transfer, image)
            case .snapshot(let snapshot):
                journal.holdsSnapshot = false
                publishSnapshot?(snapshot)
            }
        }
    }

    /// Says something when all that happened before it is safe.
    func acknowledge(_ held: StateJournal.Held) {
        // What changed in this turn is handed over at its end.
        let after = journal.handed + (journal.changes.isEmpty ? 0 : 1)
        journal.held.append((after, held))
    }
}
