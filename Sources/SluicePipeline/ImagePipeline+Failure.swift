internal import SluiceCore

/// What becomes of a transfer that failed: another try, another answer, or the end.
extension ImagePipeline {
    func fail(_ transfer: TransferID, _ error: DownloadError) {
        guard let active = transfers[transfer], let task = scheduler.task(active.task) else { return }
        // Its file may end it while it still arrives.
        if active.end == nil { reportLastProgress(transfer) }
        // What the last attempt failed by may say more than the first error.
        var final = error
        for step in FailurePlan(facts(error, task, active)).steps {
            switch step {
            case .askAgain(let reason):
                askAgain(task, active, reason)
            case .answerByStored(let isPartKept):
                if answerDespite(error, transfer, active, isPartKept: isPartKept) { return }
                continue
            case .otherPlace:
                guard refusePlace(error, task, active.body) else { continue }
                startOver(task.id, .otherPlace)
            case .noteNotStored:
                noteSkipped(error, active)
                continue
            case .settle:
                if !task.isDetached { active.body.keepUndecided() }
                settle(active, FailurePlan.part(facts(error, task, active)))
                continue
            case .waitForRoom:
                waitForRoom(task, active, error)
            case .retry:
                if let error = retry(task, active, error) {
                    final = error
                    continue
                }
            case .end:
                end(transfer, active, task, final)
                return
            }
            retire(transfer)
            return
        }
    }

    private func facts(_ error: DownloadError, _ task: DownloadTask, _ active: ActiveTransfer) -> FailurePlan.Facts {
        var facts = FailurePlan.Facts(error)
        if case .mustAskAgain(let reason) = active.body.partFate { facts.mustAskAgain = reason }
        facts.isDetached = task.isDetached
        facts.hasFallback = active.question?.value.fallback != nil
        facts.canBeContinued = canContinue(active)
        facts.isPublished = active.published != nil
        facts.hasPart = active.body.file != nil && files != nil
        facts.hasRecord = record(of: active) != nil
        facts.exceedsLaterLimit = active.body.exceedsFileSize && active.body.resumption != nil
        facts.mayRepeat = active.body.wishes.mayRepeat
        // What is left to the caches is not asked for again when there is room.
        facts.isAttended = configuration.isDashboard && !mayNotFetch(task.id)
        facts.mayRetry = settings.retries > 0
        return facts
    }

    private func settle(_ active: ActiveTransfer, _ part: FailurePlan.Part?) {
        switch part {
        case .kept?: keepPart(active)
        case .keptAsBad?: keepBad(active.body, of: active.task)
        case .discarded?:
            if let file = active.body.file { files?.discard(file) }
            forgetPart(active)
        case nil: break
        }
    }

    /// The failure is what the task comes to.
    private func end(_ transfer: TransferID, _ active: ActiveTransfer, _ task: DownloadTask, _ error: DownloadError) {
        let receipts = scheduler.receipts(of: task.id)
        let isBehindAnswer = !receipts.isEmpty && receipts.allSatisfy { $0.source == .revalidation }
        var end = noteFailure(error, of: task)
        if isBehindAnswer { counts.failedBehind += 1 }
        warnOfRefresh(error, task.id)
        (end.status, end.bytes) = (error.status ?? active.head?.status, active.body.length)
        end.isBehindAnswer = isBehindAnswer
        finish(transfer, of: task, Delivery(end))
        if error.code == .diskFull { endOnFullDisk() }
    }

    /// Says why a refusal is not stored.
    private func noteSkipped(_ error: DownloadError, _ active: ActiveTransfer) {
        if error.code == .badStatus, case .skip(let why)? = active.body.storing { skipped(active, why) }
    }

    /// Tells that what was answered before could not be refreshed, if that is what the task is for.
    func warnOfRefresh(_ error: DownloadError, _ task: TaskID) {
        guard scheduler.receipts(of: task).contains(where: { $0.source == .revalidation }) else { return }
        warn(.refresh, "the answer stands, but could not be refreshed: \(error.message)", task: task)
    }

    /// Ends where nobody can make room, before another task gets the slot: what is left waits for the next session.
    func endOnFullDisk() {
        if configuration.endsOnFullDisk { shutDown() }
    }

    /// Enters the failure of a task into the figures and the lists that outlast it.
    ///
    /// - Returns: Its end, which lacks what only its source knows.
    func noteFailure(_ error: DownloadError, of task: DownloadTask) -> TaskEnd {
        counts.failed += 1
        listFailure(error, of: task)
        var end = self.end(of: task, .failed)
        end.error = error
        return end
    }

    private func listFailure(_ error: DownloadError, of task: DownloadTask) {
        let url = url(of: task)
        if error.isPermanent, settings.failedFor > .zero { remember(failure: error, of: task, url: url) }
        if let ended = requests(scheduler.receipts(of: task.id), of: task) {
            retryable.failed.add(ended, task: task.id)
        }
    }

    /// Remembers what an aborted task was asked for, so that it can be started again.
    func keepAborted(_ receipts: [Receipt], of task: DownloadTask) {
        if let ended = requests(receipts, of: task) { retryable.aborted.add(ended, task: task.id) }
    }

    /// What a task was asked for; `nil` where that was only asked behind an answer, and is nobody's to try again.
    private func requests(_ receipts: [Receipt], of task: DownloadTask) -> RecentRequests.Ended? {
        let target = notebook.target(of: task.id)
        let requests = requests(of: receipts, for: target.url ?? task.key.url)
        if requests.isEmpty { return nil }
        return .init(key: task.key, requests: requests, credentials: target.user, standing: standing(of: task))
    }

    /// Keeps the part of a body that is not what it should be under a name that says so.
    func keepBad(_ body: TransferBody, of task: TaskID) {
        guard let part = body.file, let files else { return }
        // What went into a pipe is nobody's to keep.
        guard body.wishes.keepsFiles else { return files.discard(part) }
        do throws(DownloadError) {
            let kept = try files.publish(part, as: .bad, lastModified: nil)
            warn(.kept, "what arrived is kept as \(kept.path)", task: task)
        } catch {
            warn(.notKept, error.message, task: task)
        }
    }

    /// Whether the file of a body can't be made, and others want it elsewhere: then that place counts as refused.
    func refusePlace(_ error: DownloadError, _ task: DownloadTask, _ body: TransferBody) -> Bool {
        // A small body gets its file only when it is whole.
        let isUnmade = body.file.map { files?.reservedPath(of: $0) == nil } ?? false
        guard body.noFile == .notMade || isUnmade, error.code == .ioError, body.wishes.mayRepeat else { return false }
        let refused = body.wishes.name
        let places = notebook[task.id].refusedPlaces.union([refused.map(ExactText.init)])
        let others = scheduler.receipts(of: task.id).filter {
            $0.options.saves && !places.contains($0.options.place)
        }
        guard !others.isEmpty else { return false }
        notebook[task.id].refusedPlaces = places
        warn(.copy, "no file for \(refused ?? "the usual name"): \(error.message)", task: task.id)
        return true
    }

    /// Runs a task once more at its next turn, which is no failed attempt.
    func startOver(_ id: TaskID, _ why: Why) {
        notebook[id].reason = why
        if case .active(let transfer)? = scheduler.task(id)?.phase, let active = transfers[transfer] {
            noteAnswer(id, active)
        }
        scheduler.wait(id, until: now, delay: .zero, counts: false)
        changed(id, .waiting, reason: why, until: now, delay: .zero)
        refuseNetwork(id)
    }

    /// Makes the task wait for another attempt, if one may help.
    ///
    /// - Returns: The final failure, or `nil` if it waits.
    private func retry(_ task: DownloadTask, _ active: ActiveTransfer, _ error: DownloadError) -> DownloadError? {
        // What was asked to be done must not be done twice, and who forbids the network is not to ask it.
        guard settings.retries > 0, active.body.wishes.mayRepeat, !active.body.hasGone || active.body.canBeContinued,
            !mayNotFetch(task.id)
        else { return error }
        // What an earlier attempt had already is no progress, nor is the body of a refusal.
        let received = active.body.isRefused ? 0 : active.position(received: active.end?.received ?? 0)
        let known = max(notebook[task.id].bestReceived, active.body.offset)
        let news = received - known
        notebook[task.id].bestReceived = max(received, known)
        let policy = RetryPolicy(retries: settings.retries, maxRetryAfter: settings.maxRetryAfter)
        let decision = policy.decide(
            error,
            failedAttempts: Int(task.failedAttempts),
            received: max(0, news),
            expected: active.head?.expected,
            random: configuration.random()
        )
        let (delay, serverAsked, counts): (Duration, Bool, Bool)
        switch decision {
        case .giveUp(let final): return final
        case .wait(let time, let isServers, let isCounted): (delay, serverAsked, counts) = (time, isServers, isCounted)
        }
        let until = now + delay
        scheduler.wait(task.id, until: until, delay: delay, counts: counts)
        let next = Int(task.failedAttempts) + (counts ? 2 : 1)
        let why = Why.retryAfter(error, next: next, of: settings.retries + 1, serverAsked: serverAsked)
        notebook[task.id].reason = why
        noteAnswer(task.id, active)
        changed(task.id, .waiting, reason: why, until: until, delay: delay)
        return nil
    }

    /// Notes what a task had that gives its slot back, should it end before it runs again.
    func noteAnswer(_ task: TaskID, _ active: ActiveTransfer) {
        notebook[task].lastAnswer = .init(status: active.head?.status, bytes: active.body.length)
    }
}
