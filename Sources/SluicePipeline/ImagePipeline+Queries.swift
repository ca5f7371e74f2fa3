public import SluiceCore

/// Answers to programs outside; each is true at its place in the stream of events.
extension ImagePipeline {
    /// Queues a query and returns at once; it is answered on the loop's thread, in the order sent.
    ///
    /// A pipeline that has ended answers ``PipelineAnswer/shuttingDown`` at once, on the thread that asks.
    public nonisolated func ask(_ query: PipelineQuery, reply: @escaping @Sendable (PipelineReply) -> Void) {
        if post(.query(query, reply)) { return }
        guard let end = inbox.withLock({ $0.end }) else { return }
        reply(PipelineReply(.shuttingDown, seq: end.seq, time: end.time))
    }

    func accept(_ query: PipelineQuery, _ reply: @escaping @Sendable (PipelineReply) -> Void) {
        guard isOpen else { return answer(.shuttingDown, reply) }
        // The requests of a list keep their order by themselves.
        let isList = if case .submit = query { true } else { false }
        if isList || isServed {
            serve(query, reply)
        } else {
            backlog.append(.query(query, reply))
        }
    }

    func answer(_ answer: PipelineAnswer, _ reply: @escaping @Sendable (PipelineReply) -> Void) {
        let made = PipelineReply(answer, seq: lastSeq, time: now)
        // What an answer tells of is as safe as the events before it.
        if journal.mustHold { acknowledge(.call { reply(made) }) } else { reply(made) }
    }

    /// Does what a query asks for whose turn has come, and answers it now or when that is done.
    func serve(_ query: PipelineQuery, _ reply: @escaping @Sendable (PipelineReply) -> Void) {
        switch query {
        case .submit(let requests): backlog.append(.answered(requests, [], reply))
        case .prefetch(let requests): changing { prefetch(requests, reply) }
        case .idle: callers.idleReplies.append(reply)
        case .trust: answer(.trust(trust.book), reply)
        case .state: answer(.state(state()), reply)
        case .queue(let from, let count): answer(.queue(queued(from: from, count: count)), reply)
        case .task(let task): answer(report(on: task).map { .task($0) } ?? .unknownTask(task), reply)
        case .cachedImages: answer(.cachedImages(images()), reply)
        case .position: answer(.done, reply)
        case .cancel(let receipt):
            answer(changing { isKnown(receipt) ? .changed(cancel(receipt)) : .unknownReceipt(receipt) }, reply)
        case .steer(let task, let steering):
            answer(
                changing { isKnown(task) ? .changed(steer(task, steering, by: .program)) : .unknownTask(task) },
                reply
            )
        case .pauseAll: answer(changing { .tasks(pauseAll()) }, reply)
        case .resumeAll: answer(changing { .tasks(resumeAll()) }, reply)
        case .set(let change): answer(changing { set(change) }, reply)
        case .changeTrust(let change): answer(changing { changeTrust(change) }, reply)
        case .removeCached(let key, let id): answer(changing { .changed(removeImages(key, id)) }, reply)
        case .purge(let trigger): answer(changing { purge(trigger) }, reply)
        case .cancelPrefetch(let batch): answer(changing { .changed(cancelPrefetch(batch)) }, reply)
        }
    }

    /// Submits one request.
    ///
    /// - Returns: What its event says, or would say if a picture on the screen had one.
    func submitTracked(_ request: DownloadRequest) -> Submission {
        callers.tracked = TrackedSubmission()
        submit(request)
        guard let answer = callers.tracked?.answer else { preconditionFailure("every request is answered at once") }
        callers.tracked = nil
        return answer
    }

    /// Keeps the first answer: what is submitted by its consequences has answers of its own.
    func track(_ kind: PipelineEvent.Kind) {
        guard case .requestSubmitted(let submission) = kind, callers.tracked?.answer == nil else { return }
        callers.tracked?.answer = submission
    }

    /// Lets the journal see an event.
    func note(_ event: PipelineEvent) {
        guard taskJournal != nil else { return }
        let start = start.time
        var known: Timestamp?
        if case .taskFinished(let end) = event.kind { known = end.submitted }
        taskJournal?.take(event, now: now) { task in
            (known ?? inScheduler { $0.task(task)?.submitted }).map { $0 - start }
        }
    }

    func answerIfIdle() {
        // What an earlier session left is to be waited for, too, though not a request of it is submitted yet.
        guard !callers.idleReplies.isEmpty, backlog.isEmpty, !journal.isLoading, restoring.isEmpty || !isOpen,
            !hasLiveTasks, inbox.withLock({ $0.isEmpty }), isKept
        else { return }
        let replies = callers.idleReplies
        callers.idleReplies = []
        for reply in replies { answer(.done, reply) }
    }

    // MARK: - Results

    /// Does something of which whoever watches is told at once.
    private func changing<Result>(_ act: () -> Result) -> Result {
        snapshots.isDirty = true
        snapshots.mustPublish = true
        return act()
    }

    private func isKnown(_ receipt: ReceiptID) -> Bool {
        receipt.rawValue >= 1 && receipt.rawValue <= scheduler.receiptCount
    }

    private func isKnown(_ task: TaskID) -> Bool {
        task.rawValue >= 1 && task.rawValue <= scheduler.taskCount
    }

    private func images() -> [CachedImage] {
        cache.entries(now: now).map { CachedImage(key: $0.key, cost: $0.cost, idle: $0.idle) }
    }

    private func removeImages(_ key: String, _ id: String?) -> Bool {
        let changes = id.map { [cache.remove(CacheKey(key: key, id: $0))].compactMap(\.self) }
        let removed = changes ?? cache.removeAll(key)
        for change in removed { report(change) }
        return !removed.isEmpty
    }

    private func purge(_ trigger: CachePurge.Trigger) -> PipelineAnswer {
        let purge = cache.clear(trigger, now: now)
        report(purge)
        return .purged(removed: purge?.victims.count ?? 0, freed: purge?.freed ?? 0)
    }

    private func set(_ setting: SettingChange) -> PipelineAnswer {
        var copy = settings
        do throws(SettingError) {
            let changed = try copy.apply(setting)
            let value = settings.value(of: setting.name) ?? setting.value
            change(setting)
            return .setting(name: setting.name, from: changed?.from ?? value, to: changed?.to ?? value)
        } catch {
            return .refused(error)
        }
    }

    private func queued(from: Int, count: Int) -> [QueuedTask] {
        scheduler.queued(from: max(1, from), count: count).enumerated().map { offset, task in
            QueuedTask(task, url: url(of: task), position: max(1, from) + offset)
        }
    }

    private func state() -> PipelineState {
        var state = PipelineState()
        state.active = scheduler.active.map { task in
            let (received, expected) = progress(of: task)
            return PipelineState.Active(
                task: task.id,
                url: url(of: task),
                received: received,
                expected: expected,
                receipts: Int(task.receiptCount)
            )
        }
        state.queued = queued(from: 1, count: PipelineState.queuedLimit)
        state.queuedCount = scheduler.queuedCount
        state.paused = scheduler.paused(atMost: .max).map(resting)
        state.waiting = scheduler.waiting(atMost: .max).compactMap { task in
            guard case .waiting(let until, _) = task.phase else { return nil }
            return PipelineState.Waiting(
                task: task.id,
                url: url(of: task),
                until: until,
                receipts: Int(task.receiptCount)
            )
        }
        if scheduler.answeringCount > 0 { state.answering = scheduler.answering.map(resting) }
        fillMemory(&state.memory)
        if let responses {
            // Who asks is told what others did, too; nobody looks for that otherwise.
            responses.lookAgain()
            state.http = responses.figures
        }
        (state.indicator, state.indicatorTasks) = (indicator.state, indicator.count)
        (state.settings, state.counts) = (settings, liveCounts)
        return state
    }

    private func resting(_ task: DownloadTask) -> PipelineState.Resting {
        PipelineState.Resting(task: task.id, url: url(of: task), receipts: Int(task.receiptCount))
    }

    /// The counts as the session would end now.
    private var liveCounts: SessionCounts {
        var counts = counts
        counts.tasks = scheduler.taskCount
        counts.bytes = receivedBytes
        counts.left = leftCount
        return counts
    }

    private func progress(of task: DownloadTask) -> (received: Int, expected: Int?) {
        guard case .active(let transfer) = task.phase, let active = transfers[transfer] else { return (0, nil) }
        return (bodyLength(of: active, transfer), expectedBytes(of: active, transfer))
    }

    private func report(on id: TaskID) -> TaskReport? {
        guard let task = scheduler.task(id) else { return taskJournal?.ended(id) }
        var report = TaskReport(task: id, url: url(of: task), state: .active)
        switch task.phase {
        case .active:
            report.state = task.isDetached ? .detached : .active
            let (received, expected) = progress(of: task)
            (report.received, report.expected) = (received, expected)
        case .queued:
            report.state = .queued
            report.position = scheduler.position(of: id)
        case .paused: report.state = .paused
        case .waiting(let until, _):
            report.state = .waiting
            report.until = until
        case .answering: report.state = .answering
        }
        (report.key, report.priority, report.reason) = (task.key.text, task.priority, notebook[id].reason)
        report.attempt = Int(task.failedAttempts) + 1
        report.receipts = scheduler.receipts(of: id).suffix(TaskJournal.receiptLimit).map {
            TaskReport.Receipt($0.id, tag: $0.tag)
        }
        let submitted = task.submitted - start.time
        report.history = [TaskJournal.Entry(t: submitted, event: "request.submitted")]
        taskJournal?.complete(&report)
        // The journal keeps nothing of tasks that only wait.
        if report.state == .queued, report.history.count == 1 { report.history.append(.queued(at: submitted)) }
        return report
    }
}
