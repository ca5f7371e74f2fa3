internal import SluiceCore

extension AppState {
    /// What the events of the pipeline made, beside its snapshots.
    ///
    /// A recording makes it anew wherever it goes, and shows it in place of what was known: what the user looks at
    /// or types stands elsewhere. Keys change only ``cancelling``, ``receipts`` and ``failed``, ahead of the pipeline's answer.
    struct News: Sendable {
        var log = EventRows()
        var receipts = ReceiptBook()
        var ledger = PurgeLedger()
        var failed = FailedTasks()
        /// Whether the state file can't be written, so that nothing outlives the session.
        var hasLostState = false
        /// Whether a full disk was the last that suspended the queue.
        var isDiskFull = false
        var joined = 0
        var lingering: [LingeringTask] = []
        var newest = NewestImages()
        var records = TaskRecords()
        var ended = EndedTasks()
        var bodies = BodySizes()
        var hosts = HostFigures()
        var verdicts = CacheVerdicts()
        /// The last verdict on each host.
        var decisions: [String: TrustDecision] = [:]
        var transitions = IndicatorHistory()
        /// Receipts whose end the user asked for.
        var cancelling = RecentSet<ReceiptID>(limit: 1_000)
        /// The time, since the session's start, up to which events were lost that no snapshot has made up for yet.
        var lostUntil: Duration?
        var usage = History(interval: .seconds(1))
        var throughput = History(interval: .milliseconds(500))
        var flashUntil: Timestamp?
    }

    /// Takes everything that news of the pipeline made, and keeps what the user looks at.
    mutating func takeNews(of other: AppState) {
        // Where a recording goes back, other rows come to stand behind the same numbers.
        if other.news.ended.lastSeq < news.ended.lastSeq { endedIndex.invalidate() }
        if other.news.log.newestSeq < news.log.newestSeq { eventIndex.invalidate() }
        news = other.news
        pictures.takeEntries(of: other.pictures)
        purgeCursor.settle(news.ledger.entries.map(\.id))
        refreshLists()
        AppReducer.followRanges(&self)
    }

    /// Whether a task is known to have a receipt without an outcome, apart from some that end.
    func hasReceipts(of task: TaskID, without ended: Set<ReceiptID>) -> Bool {
        // An outcome that was lost would leave a receipt open.
        guard let record = news.records[task], !record.hasGap else { return false }
        return record.claims.contains { $0.outcome == nil && !ended.contains($0.receipt) }
    }
}
