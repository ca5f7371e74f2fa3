/// What a screen reads.
extension ReplayModel {
    /// The pipeline as it stood, with the rows of the queue and what else is looked at.
    public mutating func snapshot(
        at now: Timestamp,
        window: QueueWindow,
        inspection: Inspection = Inspection()
    ) -> PipelineSnapshot {
        var snapshot = PipelineSnapshot(time: now)
        snapshot.active = active.map { row($0, now) }
        let next = waits.sorted { ($0.value.until, $0.key) < ($1.value.until, $1.key) }
        snapshot.waiting = next.prefix(PipelineSnapshot.rowLimit).map { row($0.key, now) }
        snapshot.waitingCount = waits.count
        snapshot.paused = paused.keys.sorted().prefix(PipelineSnapshot.rowLimit).map { row($0, now) }
        snapshot.pausedCount = paused.count
        fillQueue(&snapshot, window, now)
        (snapshot.memory, snapshot.http, snapshot.indicator) = (memory, http, indicator)
        snapshot.memory.largest = cached.values.reduce(0) { max($0, $1.cost) }
        snapshot.indicator.tasks = active.count
        snapshot.settings = settings
        (snapshot.received, snapshot.rate) = (received, rate(at: now))
        snapshot.isRateMeasured = measured(at: now).isMeasured || snapshot.active.contains { $0.isRateMeasured }
        snapshot.counts = counts
        snapshot.counts.bytes = received
        snapshot.liveReceipts = liveReceipts
        snapshot.hasEnded = hasEnded
        snapshot.connections = connections
        let failed = failures.values.filter { $0.until > now }
        snapshot.failedCount = failed.count
        snapshot.failed = Array(
            failed.sorted { ($0.until, $0.url) > ($1.until, $1.url) }.prefix(PipelineSnapshot.rowLimit)
        )
        if inspection.largest > 0 { snapshot.largest = largest(inspection.largest) }
        snapshot.inspected = inspection.task.flatMap { facts($0, now) }
        return snapshot
    }

    /// Where the next queued task is that matches.
    public mutating func find(_ search: QueueSearch, _ filter: ListFilter) -> QueueSearch.Answer {
        let positions = matches(filter).lazy.compactMap { [self] in tasks[$0].flatMap { queue.position(of: $0.row) } }
        let position =
            search.isBackward
            ? positions.last { $0 < search.from } ?? positions.last { _ in true }
            : positions.first { $0 > search.from } ?? positions.first { _ in true }
        return QueueSearch.Answer(serial: search.serial, position: position)
    }

    private mutating func matches(_ filter: ListFilter) -> [TaskID] {
        let tasks = tasks
        return queue.matches(filter) { tasks[$0]?.url ?? "" }
    }

    private mutating func fillQueue(_ snapshot: inout PipelineSnapshot, _ window: QueueWindow, _ now: Timestamp) {
        snapshot.queuedCount = queue.count
        let window = window.clamped
        var shown: [TaskID]
        if window.filter.isEmpty || !window.isNarrowed {
            let from = min(window.from, max(1, queue.count - window.count + 1))
            shown = queue.tasks(from: from, count: window.count)
            snapshot.queuedFrom = from
        } else {
            let all = matches(window.filter)
            let from = min(window.from, max(1, all.count - window.count + 1))
            shown = Array(all.dropFirst(from - 1).prefix(window.count))
            (snapshot.queuedFrom, snapshot.queuedMatches) = (from, all.count)
        }
        snapshot.queued = shown.map { row($0, now) }
    }

    func row(_ id: TaskID, _ now: Timestamp) -> PipelineSnapshot.Row {
        let task = tasks[id] ?? Task(url: "", submitted: now, origin: .program)
        let state: PipelineSnapshot.Row.State =
            switch task.phase {
            case .answering, .queued: .queued(position: queue.position(of: task.row) ?? 0)
            case .active: .active
            case .waiting: .waiting(until: waits[id]?.until ?? now, delay: waits[id]?.delay ?? .zero)
            case .paused: .paused
            }
        var row = PipelineSnapshot.Row(
            task: id,
            url: task.url,
            name: FileName.listed(for: task.url),
            host: Self.host(task.url),
            state: state,
            submitted: task.submitted
        )
        (row.receipts, row.attempt, row.attempts) = (task.receipts, Int(task.attempt), settings.retries + 1)
        (row.reason, row.source) = (reasons[id], task.origin)
        if let place = paused[id] { (row.received, row.expected) = place }
        guard let transfer = transfers[id] else { return row }
        let meter = transfer.measured(at: now)
        (row.received, row.rate) = (transfer.received ?? 0, meter.rate)
        (row.isRateMeasured, row.isRateSteady) = (meter.isMeasured, meter.isSteady)
        row.silentSince = meter.lastNews
        row.expected = transfer.head?.expected ?? transfer.expected
        (row.httpVersion, row.contentType) = (transfer.head?.httpVersion, transfer.head?.contentType)
        return row
    }

    /// Connections that carry answers, by version; of those that transfers may share, one to an address.
    private var connections: [String: Int] {
        var seen: Set<[String]> = []
        var counts: [String: Int] = [:]
        for head in transfers.values.compactMap(\.head) {
            let isShared = head.httpVersion == "2" || head.httpVersion == "3"
            if isShared, !seen.insert([head.httpVersion, head.remoteAddress]).inserted { continue }
            counts[head.httpVersion, default: 0] += 1
        }
        return counts
    }

    private func facts(_ id: TaskID, _ now: Timestamp) -> TaskFacts? {
        guard let task = tasks[id] else { return nil }
        var facts = TaskFacts(row(id, now), key: task.url, claims: [], policy: settings.policy)
        if let transfer = transfers[id] { (facts.started, facts.head) = (transfer.started, transfer.head) }
        return facts
    }

    private func largest(_ count: Int) -> [CachedImageRow] {
        let entries = cached.sorted { ($0.value.cost, $1.key.key, $1.key.id) > ($1.value.cost, $0.key.key, $0.key.id) }
        return entries.prefix(count).map { key, entry in
            CachedImageRow(
                key: key,
                cost: entry.cost,
                width: entry.image?.width ?? 0,
                height: entry.image?.height ?? 0,
                accessed: entry.accessed
            )
        }
    }

    private static func host(_ url: String) -> String {
        do throws(DownloadError) {
            return try RequestURL(url).host
        } catch {
            return ""
        }
    }
}
