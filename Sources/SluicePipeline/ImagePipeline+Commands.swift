internal import SluiceCore

/// Carrying out what users and programs want: of one task, of many, or of what is kept.
extension ImagePipeline {
    /// Carries out a command whose turn has come.
    func apply(_ command: PipelineCommand) {
        switch command {
        case .submit(let requests):
            // Shown as they are submitted.
            return backlog.append(requests)
        case .cancel(let receipt):
            _ = cancel(receipt)
        case .cancelNewest(let task):
            if let receipt = scheduler.newestReceipt(of: task) { _ = cancel(receipt) }
        case .cancelAll:
            cancelAll()
        case .pauseAll:
            _ = pauseAll()
        case .resumeAll:
            _ = resumeAll()
        case .steer(let steering, let selection):
            steer(steering, selection)
        case .retryFailed:
            retryFailed()
        case .forgetFailure(let url):
            forgetFailures(of: url)
        case .forgetFailures:
            forgetFailures(of: nil)
        case .replaceURL(let task, let url):
            replaceURL(of: task, with: url)
        case .set(let setting):
            change(setting)
        case .removeImages(let removal):
            removeImages(removal)
        case .clearCache:
            report(cache.clear(.cleared, now: now))
        case .pressure:
            report(cache.clear(.pressure, now: now))
        case .prefetch(let requests):
            prefetch(requests)
        case .cancelPrefetch(let batch):
            _ = cancelPrefetch(batch)
        case .watch(let window):
            watch(window)
        case .find(let search):
            queries.search = search
        case .probe(let probe):
            // Told once it is answered.
            return self.probe(probe)
        case .deleteFile(let path):
            deleteFile(path)
        case .warn(let code, let message):
            warn(code, message, task: nil)
        case .inspect(let inspection):
            self.inspection = inspection
        case .observe(let tasks):
            observe(tasks)
        case .shutDown:
            shutDown()
        }
        snapshots.isDirty = true
        snapshots.mustPublish = true
    }

    /// Takes a receipt from its task.
    ///
    /// - Returns: Whether it had no outcome yet.
    func cancel(_ id: ReceiptID) -> Bool {
        guard let (receipt, task, effect) = scheduler.cancel(id) else { return false }
        var end = cancelledEnd(of: task, receipts: 1)
        end.submitted = task.submitted
        let delivery = Delivery(end)
        switch effect {
        case .none:
            countWithdrawn(receipt)
            keepPlace(of: task.id)
        case .lowered:
            countWithdrawn(receipt)
            deliver(receipt, delivery)
            changed(task.id, .moved, reason: .claimsWeakened)
            refuseNetwork(task.id)
            return true
        case .removed:
            if !receipt.source.isView { keepAborted([receipt], of: task) }
            countCancelled(behind: receipt.source.isView)
            keepEnd(of: task.id)
            emit(.outcomes) { .taskFinished(delivery.end) }
            forget(task.id)
        case .aborted(let transfer):
            reportLastProgress(transfer)
            if !receipt.source.isView { keepAborted([receipt], of: task) }
            countCancelled(behind: receipt.source.isView)
            keepEnd(of: task.id)
            emit(.outcomes) { .taskFinished(delivery.end) }
            forget(task.id)
            deliver(receipt, delivery)
            abandon(transfer)
            return true
        case .detached:
            countWithdrawn(receipt)
            mayHaveDetached = true
            if case .active(let transfer) = task.phase { transfers[transfer]?.isLeftByView = receipt.source.isView }
            deliver(receipt, delivery)
            changed(task.id, .detached, reason: .lastReceiptGone)
            dropUselessTransfers()
            return true
        }
        deliver(receipt, delivery)
        refuseNetwork(task.id)
        return true
    }

    /// Suspends the queue and pauses what runs.
    ///
    /// - Returns: How many tasks are paused by it.
    func pauseAll() -> Int {
        change(SettingChange(name: "suspended", value: .flag(true)))
        return scheduler.active.count { !$0.isDetached && pause($0.id) }
    }

    /// Resumes what is paused, and the queue.
    ///
    /// - Returns: How many tasks are resumed by it.
    func resumeAll() -> Int {
        let resumed = scheduler.paused(atMost: .max).reversed().count { task in
            defer { handOverLot() }
            return resume(task.id)
        }
        change(SettingChange(name: "suspended", value: .flag(false)))
        lookForRoomAtOnce()
        return resumed
    }

    private func cancelAll() {
        let tasks = scheduler.live.sorted()
        // What would be pushed out by those behind it need not be remembered.
        let first = tasks.count - max(RecentRequests.limit, TaskJournal.endedLimit)
        for (place, task) in tasks.enumerated() {
            taskJournal?.remembersEnds = place >= first
            _ = abort(task, isRemembered: place >= first)
            handOverLot()
        }
        taskJournal?.remembersEnds = true
    }

    func abort(_ id: TaskID, isRemembered: Bool = true) -> Bool {
        guard let task = scheduler.task(id) else { return false }
        if case .active(let transfer) = task.phase { reportLastProgress(transfer) }
        let end = cancelledEnd(of: task, receipts: Int(task.receiptCount))
        let receipts = scheduler.receipts(of: id)
        if task.isDetached, case .active(let transfer) = task.phase, let active = transfers[transfer] {
            countCancelled(detached: active)
        } else {
            countCancelled(behind: !receipts.isEmpty && receipts.allSatisfy(\.source.isView))
        }
        if isRemembered { keepAborted(receipts, of: task) }
        deliver(Delivery(end))
        if case .active(let transfer) = task.phase { abandon(transfer) }
        return true
    }

    private func cancelledEnd(of task: DownloadTask, receipts: Int) -> TaskEnd {
        var end = self.end(of: task, .cancelled, receipts: receipts)
        end.error = .cancelled
        if case .active(let transfer) = task.phase, let active = transfers[transfer] {
            (end.status, end.bytes) = (active.head?.status, active.body.length)
        } else if let answer = notebook[task.id].lastAnswer {
            (end.status, end.bytes) = (answer.status, answer.bytes)
        }
        // What is stored was its source, though it did not come that far.
        if task.phase == .answering { (end.source, end.status) = (.disk, answers[task.id]?.response.status) }
        return end
    }

    /// Takes a task out of queue or slot.
    ///
    /// - Parameters:
    ///   - id: Queued, waiting or active.
    ///   - why: What is told of it; `nil` is that the user paused it.
    /// - Returns: Whether that changed anything.
    func pause(_ id: TaskID, why: Why? = nil) -> Bool {
        let (didChange, transfer) = scheduler.pause(id)
        guard didChange else { return false }
        if let transfer {
            reportLastProgress(transfer)
            if let active = transfers[transfer] {
                noteAnswer(id, active)
                notebook[id].pausedAt = .init(
                    received: bodyLength(of: active, transfer),
                    expected: expectedBytes(of: active, transfer)
                )
            }
        }
        let why = why ?? .pausedByUser(gaveSlot: transfer != nil)
        notebook[id].reason = why
        changed(id, .suspended, reason: why)
        if let transfer { abandon(transfer) }
        return true
    }

    func resume(_ id: TaskID) -> Bool {
        // How far it came stays known until it has a slot: it may be paused again before.
        guard scheduler.resume(id) else { return false }
        takeTrust(id)
        notebook[id].reason = .resumedByUser
        changed(id, .queued, reason: .resumedByUser)
        refuseNetwork(id)
        return true
    }

    /// Submits what failed or was aborted again; of a task that waits for its next attempt, ends the wait.
    ///
    /// - Parameters:
    ///   - id: The task.
    ///   - asker: Where a request of whoever tries again comes from.
    /// - Returns: Whether there was anything to try again.
    func retry(_ id: TaskID, by asker: DownloadRequest.Source) -> Bool {
        if scheduler.endWait(id) {
            notebook[id].reason = .retriedByUser
            changed(id, .queued, reason: .retriedByUser)
            return true
        }
        guard let ended = retryable.take(id) else { return false }
        retry(ended, by: asker)
        return true
    }

    func setRate(_ rate: Int, of id: TaskID) -> Bool {
        guard let task = scheduler.task(id) else { return false }
        let limit = rate > 0 ? rate : nil
        guard notebook[id].rate != limit else { return false }
        notebook[id].rate = limit
        keepQueue(.rate(id, limit ?? 0))
        if case .active(let transfer) = task.phase {
            transport.setRate(max(0, rate), of: transfer)
            if let active = transfers[transfer] {
                takeFromRate(active, transfer)
                active.meter.restart()
            }
        }
        return true
    }

    /// Drops what is kept of a live task only.
    func forget(_ task: TaskID) {
        notebook.forget(task)
        copies.remove(task)
        dropAnswer(task)
    }

    /// Ends a task that nobody waits for, with the file that nobody wants.
    func drop(_ task: DownloadTask) {
        guard case .active(let transfer) = task.phase, let active = transfers[transfer] else { return }
        reportLastProgress(transfer)
        let end = cancelledEnd(of: task, receipts: 0)
        if let part = active.body.file { files?.discard(part) }
        active.body.pending = []
        countCancelled(detached: active)
        deliver(Delivery(end))
        abandon(transfer)
    }

    /// Counts a request that was cancelled, but not its task.
    private func countWithdrawn(_ receipt: Receipt) {
        if !receipt.source.isView { counts.withdrawn += 1 }
    }

    /// Counts a detached task that ended unfinished: it did not go on after all, and is counted itself.
    private func countCancelled(detached active: ActiveTransfer) {
        countCancelled(behind: active.isLeftByView)
        if !active.isLeftByView { counts.withdrawn -= 1 }
    }

    /// Counts a task that ended unfinished.
    ///
    /// - Parameter isBehind: Whether all who waited for it were pictures on screen.
    private func countCancelled(behind isBehind: Bool) {
        counts.cancelled += 1
        if isBehind { counts.cancelledBehind += 1 }
    }
}
