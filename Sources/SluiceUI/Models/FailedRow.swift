internal import SluiceCore

/// A failure as a row: what failed in this session, and what is remembered of earlier ones.
struct FailedRow: Equatable, Sendable {
    /// Stays the same while the row is there.
    struct ID: Hashable, Sendable {
        /// `nil` for what failed in an earlier session.
        let task: TaskID?
        let url: String
    }

    let id: ID
    let error: DownloadError
    /// Until when lists and pastes pass it over; `nil` if it is not remembered, or not known to be.
    let until: Timestamp?

    var url: String { id.url }
    /// The last part of the URL; not sanitised.
    var name: String { URLText.name(of: url) }
    /// What a filter looks into.
    var searchText: String { "\(url) \(error.code.rawValue) \(EventSentence.brief(error))" }
}

extension AppState {
    /// Rows of the failed panel at most; beyond them only the count is told.
    static let failedLimit = 1_000

    /// What failed, the newest first: tasks of this session, then what an earlier one left; without what a filter hides.
    var failedRows: [FailedRow] {
        let remembered = Dictionary(snapshot.failed.map { ($0.url, $0.until) }) { first, _ in first }
        let own = news.failed.tasks.suffix(Self.failedLimit).reversed().map { task in
            FailedRow(
                id: FailedRow.ID(task: task.task, url: task.url),
                error: task.error,
                until: remembered[task.url]
            )
        }
        let earlier = snapshot.failed.filter { !news.failed.contains(url: $0.url) }.map { entry in
            FailedRow(id: FailedRow.ID(task: nil, url: entry.url), error: entry.error, until: entry.until)
        }
        let filter = self[list: .failed].narrowing
        return filter.isEmpty ? own + earlier : (own + earlier).filter { filter.matches($0.searchText) }
    }

    /// How many stand failed now: those of this session that were not tried again, and those of earlier ones.
    var failedCount: Int { failedCount(ofOwn: news.failed.count) }

    /// The same without those that nobody can name any more.
    var knownFailedCount: Int { failedCount(ofOwn: news.failed.tasks.count) }

    /// Of those that are counted, how many have no row, whatever a filter hides.
    var unlistedFailedCount: Int {
        max(0, failedCount - min(news.failed.tasks.count, Self.failedLimit) - earlierFailedCount)
    }

    private func failedCount(ofOwn own: Int) -> Int {
        let earlier = earlierFailedCount
        // Of those that are remembered, a snapshot holds the newest only: behind one of an earlier session are more of
        // those, else they may be of this one.
        let hidden = max(0, snapshot.failedCount - snapshot.failed.count)
        return earlier > 0 ? own + earlier + hidden : max(own, snapshot.failedCount)
    }

    /// Rows of what earlier sessions left, as far as they are known.
    private var earlierFailedCount: Int { snapshot.failed.count { !news.failed.contains(url: $0.url) } }

    /// The selected row of the failed panel.
    var selectedFailed: FailedRow? {
        let rows = failedRows
        var cursor = failedCursor
        cursor.settle(rows.map(\.id))
        return rows.indices.contains(cursor.index) ? rows[cursor.index] : nil
    }
}
