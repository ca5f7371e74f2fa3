internal import SluiceCore

extension ImagePipeline {
    /// Carries out a command whose turn has come.
    func apply(_ command: PipelineCommand) {
        snapshots.isDirty = true
        snapshots.mustPublish = true
        switch command {
        case .submit(let requests):
            for request in requests { submit(request) }
        case .cancel(let receipt):
            cancel(receipt)
        case .cancelAll:
            for task in scheduler.live.sorted() { abort(task) }
        case .abort(let task):
            abort(task)
        case .pause(let task):
            pause(task)
        case .resume(let task):
            resume(task)
        case .pauseAll:
            change(SettingChange(name: "suspended", value: .flag(true)))
            for task in scheduler.active where !task.isDetached { pause(task.id) }
        case .resumeAll:
            for task in scheduler.paused(atMost: .max).reversed() { resume(task.id) }
            change(SettingChange(name: "suspended", value: .flag(false)))
        case .promote(let task):
            if scheduler.promote(task) { changed(task, .moved, reason: .promoted) }
        case .move(let task, let places):
            if scheduler.move(task, by: places) { changed(task, .moved, reason: .movedByUser(by: places)) }
        case .setPriority(let task, let priority):
            let isQueued = scheduler.position(of: task) != nil
            if scheduler.setPriority(task, priority), isQueued {
                changed(task, .moved, reason: .priorityChanged(priority))
            }
        case .retry(let task):
            retry(task)
        case .set(let setting):
            change(setting)
        case .removeCached(let key):
            if let change = cache.remove(key) { report(change) }
        case .clearCache:
            purgeAll(.cleared)
        case .pressure:
            purgeAll(.pressure)
        case .prefetch(let requests):
            prefetch(requests)
        case .cancelPrefetch(let batch):
            for receipt in batches[batch]?.receipts.sorted() ?? [] { cancel(receipt) }
        case .watch(let window):
            self.window = window
        case .shutDown:
            shutDown()
        }
    }

    private func cancel(_ id: ReceiptID) {
        guard let (receipt, task, effect) = scheduler.cancel(id) else { return }
        var end = TaskEnd(task: task.id, url: task.key.url, outcome: .cancelled, receipts: 1)
        end.error = .cancelled
        switch effect {
        case .none:
            break
        case .removed:
            counts.cancelled += 1
            emit(.outcomes) { .taskFinished(end) }
            forget(task.id)
        case .aborted(let transfer):
            counts.cancelled += 1
            emit(.outcomes) { .taskFinished(end) }
            forget(task.id)
            deliver(receipt, end, image: nil)
            abandon(transfer)
            return
        case .detached:
            deliver(receipt, end, image: nil)
            changed(task.id, .detached, reason: .lastReceiptGone)
            dropUselessTransfers()
            return
        }
        deliver(receipt, end, image: nil)
    }

    private func abort(_ id: TaskID) {
        guard let task = scheduler.task(id) else { return }
        var end = TaskEnd(task: id, url: task.key.url, outcome: .cancelled, receipts: Int(task.receiptCount))
        end.error = .cancelled
        counts.cancelled += 1
        deliver(end, image: nil)
        if case .active(let transfer) = task.phase { abandon(transfer) }
    }

    private func pause(_ id: TaskID) {
        let (didChange, transfer) = scheduler.pause(id)
        guard didChange else { return }
        reasons[id] = .pausedByUser
        changed(id, .suspended, reason: .pausedByUser)
        if let transfer { abandon(transfer) }
    }

    private func resume(_ id: TaskID) {
        guard scheduler.resume(id) else { return }
        reasons[id] = .resumedByUser
        changed(id, .queued, reason: .resumedByUser)
    }

    private func retry(_ id: TaskID) {
        guard let (request, user) = failedRequests.take(id) else { return }
        let old = request.options
        var again = request
        again.options = RequestOptions(
            headers: old.headers,
            policy: old.policy,
            priority: old.priority,
            saves: old.saves,
            destination: old.destination,
            retryFailed: true
        )
        submit(again, keptCredentials: user)
    }

    /// Drops what is kept of a live task only.
    func forget(_ task: TaskID) {
        credentials[task] = nil
        reasons[task] = nil
        bestReceived[task] = nil
    }

    private func shutDown() {
        guard phase != .ending, phase != .ended else { return }
        phase = .ending
        for task in scheduler.active {
            if task.isDetached { drop(task) } else { _ = scheduler.pause(task.id) }
        }
        for (transfer, active) in transfers {
            if active.step != .abandoned, let part = active.body.file { files?.keepPart(part) }
            transfers[transfer]?.step = .abandoned
            if active.end == nil {
                transport.abort(transfer)
            } else {
                transfers[transfer] = nil
                scheduler.transferEnded(transfer)
            }
        }
    }

    /// Ends a task that nobody waits for, with the file that nobody wants.
    func drop(_ task: DownloadTask) {
        guard case .active(let transfer) = task.phase, let active = transfers[transfer] else { return }
        if let part = active.body.file { files?.discard(part) }
        var end = TaskEnd(task: task.id, url: task.key.url, outcome: .cancelled, receipts: 0)
        (end.status, end.bytes, end.error) = (active.head?.status, active.body.count, .cancelled)
        counts.cancelled += 1
        deliver(end, image: nil)
        abandon(transfer)
    }

    // MARK: Settings

    func change(_ setting: SettingChange) {
        let changed: (from: SettingValue, to: SettingValue)?
        do throws(SettingError) {
            changed = try settings.apply(setting)
        } catch {
            warn("setting", error.message, task: nil)
            return
        }
        guard let changed else { return }
        emit(.session) { .settingChanged(name: setting.name, from: changed.from, to: changed.to) }
        if scheduler.limit != settings.maxActive { scheduler.setLimit(settings.maxActive) }
        scheduler.order = settings.order
        scheduler.lastReceipt = settings.lastReceipt
        scheduler.isSuspended = settings.suspended
        transport.limits = settings.transportLimits
        indicator.activationDelay = settings.activationDelay
        indicator.completionDelay = settings.completionDelay
        if indicator.isEnabled != settings.indicatorEnabled {
            report(indicator.enabledChanged(to: settings.indicatorEnabled, now: now))
        }
        if cache.capacity != settings.cacheCapacity || cache.preferred != settings.cachePreferred {
            report(cache.resize(capacity: settings.cacheCapacity, preferred: settings.cachePreferred, now: now))
        }
        if setting.name == "decode" || setting.name == "maxPixels" || setting.name == "acceptOnly" {
            failed.clear { $0.code == .badImage }
        }
        if setting.name == "failedFor", settings.failedFor == .zero { failed.clear { _ in true } }
    }

    // MARK: Memory cache

    func report(_ purge: CachePurge?) {
        guard let purge else { return }
        snapshots.mustPublish = true
        emit(.cache) { .cachePurged(purge) }
    }

    func report(_ change: CacheChange) {
        snapshots.isDirty = true
        emit(.cache) { .cacheChanged(change) }
    }

    private func purgeAll(_ trigger: CachePurge.Trigger) { report(cache.clear(trigger, now: now)) }

    // MARK: Prefetch

    private func prefetch(_ requests: [DownloadRequest]) {
        lastBatch += 1
        let batch = BatchID(lastBatch)
        batches[batch] = PrefetchBatch(total: requests.count)
        for request in requests {
            let options = RequestOptions(
                headers: request.options.headers,
                policy: request.options.policy,
                priority: .low,
                saves: false
            )
            submit(DownloadRequest(request.url, options: options, source: .prefetch(batch), tag: request.tag))
        }
        if requests.isEmpty {
            batches[batch] = nil
            emit(.session) { .prefetchProgress(batch, finished: 0, skipped: 0, total: 0, isEnd: true) }
        }
    }

    /// Counts a prefetched URL that a cache held, or that has its outcome.
    func prefetched(_ source: DownloadRequest.Source, receipt: ReceiptID?, wasCached: Bool) {
        guard case .prefetch(let batch) = source, var state = batches[batch] else { return }
        if wasCached { state.skipped += 1 } else { state.finished += 1 }
        if let receipt { state.receipts.remove(receipt) }
        batches[batch] = state.isEnded ? nil : state
        emit(.session) {
            .prefetchProgress(
                batch,
                finished: state.finished,
                skipped: state.skipped,
                total: state.total,
                isEnd: state.isEnded
            )
        }
    }
}
