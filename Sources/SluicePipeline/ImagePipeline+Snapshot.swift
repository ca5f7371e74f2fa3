internal import SluiceCore

extension ImagePipeline {
    /// Between two progress events of a task.
    private static let progressInterval = Duration.milliseconds(100)

    // MARK: Progress

    func reportProgress(_ transfer: TransferID, received: Int, expected: Int?) {
        guard let active = transfers[transfer] else { return }
        active.reported = (received, now)
        emit(.progress) { .taskProgress(active.task, received: received, expected: expected) }
    }

    /// Reports what arrived, for each task at most ten times a second.
    func reportProgress() {
        guard wants(.progress) || publishSnapshot != nil else { return }
        for (transfer, active) in transfers where active.step == .receiving {
            let received = active.position(received: transport.progress(of: transfer).received)
            guard let reported = active.reported, received != reported.received else { continue }
            snapshots.hasProgressed = true
            guard now - reported.at >= Self.progressInterval else { continue }
            reportProgress(transfer, received: received, expected: active.expected)
        }
    }

    /// Reports what arrived of a transfer that is about to be stopped, if that was not said yet.
    func reportLastProgress(_ transfer: TransferID) {
        guard wants(.progress), let active = transfers[transfer], active.step == .receiving else { return }
        // Where it would have started is only now told: the server did not say whether it continues.
        guard let reported = active.reported else {
            guard active.body.isAwaitingJudgement, let part = active.body.resumption?.part else { return }
            return reportProgress(transfer, received: part.length, expected: nil)
        }
        let received = active.position(received: transport.progress(of: transfer).received)
        guard received != reported.received else { return }
        reportProgress(transfer, received: received, expected: active.expected)
    }

    /// When a change of progress that came too early to be reported is due.
    var progressDeadline: Timestamp? {
        guard wants(.progress) else { return nil }
        return transfers.compactMap { transfer, active in
            guard active.step == .receiving, let reported = active.reported else { return nil }
            return active.position(received: transport.progress(of: transfer).received) != reported.received
                ? reported.at + Self.progressInterval : nil
        }.min()
    }

    /// All that arrived over the network, each byte once: of transfers that are over, and of those that are not.
    var receivedBytes: Int {
        transfers.reduce(counts.bytes) { sum, transfer in
            let (id, active) = (transfer.key, transfer.value)
            return active.end == nil ? sum + (active.stoppedAt ?? transport.progress(of: id).received) : sum
        }
    }

    /// Bytes of the body that are there.
    func bodyLength(of active: ActiveTransfer, _ transfer: TransferID) -> Int {
        // Until the server has answered, the part is what there is.
        if active.body.isAwaitingJudgement { return active.body.resumption?.part.length ?? 0 }
        let arrived = active.end?.received ?? active.stoppedAt ?? transport.progress(of: transfer).received
        return active.position(received: arrived)
    }

    /// Bytes of the whole body, where that is known or a part says so.
    func expectedBytes(of active: ActiveTransfer, _ transfer: TransferID) -> Int? {
        if active.body.wishes.isHead { return nil }
        return active.expected ?? transport.progress(of: transfer).expected ?? active.continued?.total
    }

    // MARK: Rates

    /// Takes a transfer that goes no further out of the rate of all: what the others bring shows at once.
    func takeFromRate(_ active: ActiveTransfer, _ transfer: TransferID) {
        meter.update(total: receivedBytes, now: now)
        active.meter.update(total: bodyLength(of: active, transfer), now: now)
        meter.forget(active.meter)
    }

    /// Measures anew: what came under another limit says nothing about what comes now.
    func restartRates() {
        meter.restart()
        for active in transfers.values { active.meter.restart() }
    }

    // MARK: Snapshots

    var snapshotDeadline: Timestamp? {
        guard publishSnapshot != nil, !journal.holdsSnapshot else { return nil }
        return snapshots.deadline(interval: configuration.snapshotInterval)
    }

    /// Publishes the state, at once if somebody waits for it, else at most every interval.
    func publish() {
        guard let publishSnapshot, !journal.holdsSnapshot,
            snapshots.isDue(now: now, interval: configuration.snapshotInterval)
        else { return }
        snapshots.serial += 1
        let snapshot = snapshot()
        snapshots.published(showingRate: snapshot.showsRate, now: now)
        guard journal.mustHold else {
            publishSnapshot(snapshot)
            return
        }
        journal.holdsSnapshot = true
        acknowledge(.snapshot(snapshot))
    }

    private func snapshot() -> PipelineSnapshot {
        var snapshot = PipelineSnapshot(time: now)
        snapshot.serial = snapshots.serial
        snapshot.active = scheduler.active.map(row)
        snapshot.waiting = scheduler.waiting(atMost: PipelineSnapshot.rowLimit).map(row)
        snapshot.waitingCount = scheduler.waitingCount
        snapshot.paused = scheduler.paused(atMost: PipelineSnapshot.rowLimit).map(row)
        snapshot.pausedCount = scheduler.pausedCount
        snapshot.queuedCount = scheduler.queuedCount
        fillQueue(&snapshot)
        snapshot.lenientHosts = trust.book.lenientPatterns
        snapshot.backlog = backlog.requestCount + restoring.count
        fillFigures(&snapshot)
        fillInspected(&snapshot)
        return snapshot
    }

    private func fillQueue(_ snapshot: inout PipelineSnapshot) {
        let (tasks, from, matches) = windowRows()
        (snapshot.queuedFrom, snapshot.queuedMatches) = (from, matches)
        snapshot.queued = tasks.enumerated().map { offset, task in
            row(task, position: matches == nil ? from + offset : scheduler.position(of: task.id) ?? 0)
        }
        snapshot.isFiltering = queries.listing.map { !$0.isComplete } ?? false
        (snapshot.found, snapshot.probe, snapshot.removal) = (queries.found, queries.answer, queries.removal)
    }

    private func fillFigures(_ snapshot: inout PipelineSnapshot) {
        snapshot.received = receivedBytes
        meter.update(total: snapshot.received, now: now)
        // A row that has just begun is measured from its start on, all of them from theirs: their sum must not be less.
        let ofRows = snapshot.active.reduce(0) { $0 + $1.rate }
        snapshot.rate = transfers.isEmpty ? 0 : max(meter.rate, ofRows)
        snapshot.isRateMeasured = meter.isMeasured || snapshot.active.contains { $0.isRateMeasured }
        snapshot.connections = connections()
        snapshot.counts = counts
        snapshot.counts.tasks = scheduler.taskCount
        snapshot.counts.bytes = snapshot.received
        snapshot.left = leftCount
        snapshot.liveReceipts = scheduler.liveReceiptCount
        snapshot.settings = settings
        snapshot.directory = configuration.directory
        snapshot.failedCount = failed.count
        snapshot.hasHTTPCache = responses != nil
        if let responses { snapshot.http = responses.figures }
        if failed.count > 0 {
            snapshot.failed = failed.newest(atMost: PipelineSnapshot.rowLimit).map {
                PipelineSnapshot.Failed(url: $0.entry.url, error: $0.entry.error, until: $0.entry.until)
            }
        }
        (snapshot.neededSpace, snapshot.fullFolder) = (diskPause.needed, diskPause.folder)
        fillMemory(&snapshot.memory)
        snapshot.indicator.state = indicator.state
        snapshot.indicator.since = indicator.since
        snapshot.indicator.deadline = indicator.deadline
        snapshot.indicator.tasks = indicator.count
    }

    /// Counts each connection once, however many transfers share it.
    private func connections() -> [String: Int] {
        var seen: Set<Connection> = []
        var counts: [String: Int] = [:]
        for (_, active) in transfers where active.end == nil {
            guard let head = active.head, head.localPort > 0 else { continue }
            guard seen.insert(Connection(port: head.localPort, remote: head.remoteAddress)).inserted else { continue }
            counts[head.httpVersion, default: 0] += 1
        }
        return counts
    }

    /// What tells one connection from another.
    private struct Connection: Hashable {
        let port: Int
        let remote: String
    }

    func fillMemory(_ memory: inout PipelineSnapshot.Memory) {
        memory.usage = cache.usage
        memory.capacity = cache.capacity
        memory.preferred = cache.preferred
        memory.count = cache.count
        memory.hits = cache.hits
        memory.misses = cache.misses
        memory.purges = cache.purges
        memory.freed = cache.freed
        memory.largest = cache.largest()
    }

    private static func host(of url: String) -> String {
        do throws(DownloadError) {
            return try RequestURL(url).host
        } catch {
            preconditionFailure("a merge key holds a URL that was parsed before")
        }
    }

    /// Whether parts outlast this session.
    private var keepsParts: Bool { journal.keeper != nil }

    private func row(_ task: DownloadTask) -> PipelineSnapshot.Row { row(task, position: 0) }

    func row(_ task: DownloadTask, position: Int) -> PipelineSnapshot.Row {
        let state: PipelineSnapshot.Row.State =
            switch task.phase {
            case .queued, .answering: .queued(position: position)
            case .active: .active
            case .waiting(let until, let delay): .waiting(until: until, delay: delay)
            case .paused: .paused
            }
        var row = PipelineSnapshot.Row(
            task: task.id,
            url: url(of: task),
            name: FileName.listed(for: task.key.url),
            host: Self.host(of: task.key.url),
            state: state,
            submitted: task.submitted
        )
        row.priority = task.priority
        row.receipts = Int(task.receiptCount)
        row.attempt = Int(task.failedAttempts) + 1
        row.attempts = settings.retries + 1
        let notes = notebook[task.id]
        (row.reason, row.rateLimit) = (notes.reason, notes.rate ?? 0)
        let first = scheduler.firstReceipt(of: task.id)
        (row.source, row.destination) = (first?.source ?? .program, first?.options.destination)
        row.savesFile = scheduler.hasReceipt(of: task.id) { $0.options.saves }
        if case .active(let transfer) = task.phase, let active = transfers[transfer] {
            let received = bodyLength(of: active, transfer)
            active.meter.update(total: received, now: now)
            row.received = received
            row.expected = expectedBytes(of: active, transfer)
            (row.rate, row.isRateSteady) = (active.meter.rate, active.meter.isSteady)
            row.isRateMeasured = active.meter.isMeasured
            row.isContinuable = canContinue(active)
            row.keepsPart = keepsParts && row.isContinuable
            row.file = active.body.file.flatMap { files?.reservedPath(of: $0) }
            if active.end == nil { row.silentSince = active.meter.lastNews }
            row.httpVersion = active.head?.httpVersion
            row.contentType = active.head?.contentType
        } else {
            if task.phase == .paused, let place = notes.pausedAt {
                (row.received, row.expected) = (place.received, place.expected)
            }
            row.keepsPart = keepsParts && !parts.isEmpty && parts[task.key.text] != nil
        }
        return row
    }
}
