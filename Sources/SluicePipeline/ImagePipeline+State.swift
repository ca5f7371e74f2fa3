internal import SluiceCore

/// What of this session the next one goes on from: the queue, and the files that are known.
extension ImagePipeline {
    /// Of this turn.
    var nanosecondsSince1970: Int64 { start.nanosecondsSince1970(at: now) }

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
        if restoring.current != nil { knownFiles.keepOthers(than: demand.key) }
        keepPlace(of: task)
        // Before it starts, so that not even its first bytes come faster.
        if let rate = restoring.current?.rate {
            notebook[task].rate = rate
            keep(.rate(task, rate))
        }
        var record = RequestRecord(task: task, receipt: receipt, key: demand.key.historyText, request: kept(demand))
        record.restored = restoring.current?.row
        record.trust = trustMark(of: demand.url.url, task)
        // Until it is resumed, a session under the rules that it was asked for under goes on with it by itself.
        if restoring.hasOtherTrust, let former = restoring.current {
            (record.key, record.trust) = (former.key ?? record.key, former.trust)
        }
        keep(.request(record))
    }

    /// What tells the rules of trust that a task is under from those of the sessions to come.
    ///
    /// - Parameters:
    ///   - url: What is asked for.
    ///   - task: Its task.
    /// - Returns: That of its own host, since the rest of the queue shall go on whatever another one is trusted by; empty
    ///   for what asks no host.
    func trustMark(of url: String, _ task: TaskID) -> String { Self.trustMark(of: url, trust.book(of: task)) }

    static func trustMark(of url: String, _ book: TrustBook) -> String {
        guard RequestURL.isNetwork(url), let url = try? RequestURL(url) else { return "" }
        return book.ownMark(of: url)
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
        if case .paused = task.phase, let former = notebook[id].former, !former.isPaused {
            return keepRecord(of: task, former)
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

    /// Keeps that a task which is paused for its trust stands where it stood.
    private func keepRecord(of task: DownloadTask, _ former: FormerStand) {
        let promoted = TaskQueue.Band.promoted.rawValue
        if let until = former.waitsUntil {
            keepRecord(of: task, band: TaskRecord.activeBand, rank: TaskRecord.waitingRank, waitsUntil: until)
        } else {
            // What ran stands first.
            let band = former.band <= promoted ? promoted : TaskQueue.Band(task.priority).rawValue
            keepRecord(of: task, band: band, rank: task.rank)
        }
    }

    private func keepRecord(of task: DownloadTask, band: Int, rank: Int64, waitsUntil: Int64? = nil) {
        let id = task.id
        var record = TaskRecord(task: id, band: band, rank: rank)
        record.isPaused = task.phase == .paused && notebook[id].former?.isPaused != false
        record.waitsUntil = waitsUntil
        if case .waiting(let until, _) = task.phase { record.waitsUntil = start.nanosecondsSince1970(at: until) }
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
}
