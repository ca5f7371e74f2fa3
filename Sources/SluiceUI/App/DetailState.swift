internal import SluiceCore

/// Which task the detail shows, and what of it.
struct DetailState: Equatable, Sendable {
    /// Chosen with Enter; `nil` follows the selected row.
    var task: TaskID?
    /// The URL that was tried again from here: the detail goes on with its next task.
    var awaited: String?
    /// Index of the selected receipt.
    var receipt = 0
    /// First line that is seen where not everything fits.
    var offset = 0
    var showsAllHeaders = false
    /// Where the focus goes when it is left.
    var origin = Panel.active
    /// The picture or the gallery that it was opened from, which comes back then.
    var pictures: PictureState.Place?
    /// What the pipeline was asked for.
    var asked = Inspection()
}

extension AppState {
    /// The task that the detail shows, or `nil` while there is none.
    var inspectedTask: TaskID? { detail.task ?? followedTask }

    /// The task of the selected row.
    private var followedTask: TaskID? {
        // Another list's task would be taken for one of the rows that were looked for.
        guard !hidesAllRows else { return nil }
        return switch focus {
        // Beside running ones, a detail would be taken for one of this panel's.
        case .queued: selectedRow?.task ?? (selectedActiveRow == nil ? likelyTask : nil)
        case .finished: selectedEnded?.end.task
        case .failed: selectedFailed?.id.task
        case .events: selectedEvent?.task
        case .preview: picturedTask ?? likelyTask
        case .active, .cache, .network, .detail: likelyTask
        }
    }

    private var likelyTask: TaskID? {
        selectedActiveRow?.task ?? (news.ended.lastSeq > 0 ? news.ended[age: 0].end.task : nil)
    }

    /// What is known of a task, or of a file of an earlier session.
    func record(of task: TaskID) -> TaskRecords.Record? {
        if let record = news.records[task] { return record }
        return news.ended.earlier(task).map { row in
            var record = TaskRecords.Record(task: task, url: row.end.url)
            record.end = row.end
            return record
        }
    }

    /// The task of the picture or the tile that is looked at, if something is known of it.
    private var picturedTask: TaskID? {
        let task: TaskID?
        if pictures.gallery != nil {
            switch galleryItem(at: galleryIndex) {
            case .row(let row): task = row.task
            case .image(let entry): task = entry.task
            case nil: task = nil
            }
        } else {
            task = pictures.subject.flatMap { $0.live ?? pictures.entry(of: $0.url)?.task }
        }
        return task.flatMap { task in
            news.records[task] != nil || activeRows.contains { $0.task == task } ? task : nil
        }
    }

    /// The selected row of the finished list.
    var selectedEnded: EndedTask? {
        endedRow(at: endedRowIndex)
    }

    /// Receipts that the detail lists, oldest first.
    var inspectedClaims: [TaskRecords.Claim] {
        guard let task = inspectedTask else { return [] }
        var claims = news.records[task]?.claims ?? []
        guard let facts = snapshot.inspected, facts.task == task else { return claims }
        for claim in facts.claims {
            let submitted = claim.submitted - configuration.start.time
            if let index = claims.firstIndex(where: { $0.receipt == claim.receipt }) {
                (claims[index].origin, claims[index].submitted) = (claim.source, submitted)
            } else {
                claims.append(
                    TaskRecords.Claim(receipt: claim.receipt, origin: claim.source, submitted: submitted)
                )
            }
        }
        return claims.sorted { $0.receipt < $1.receipt }
    }
}

extension EventRows.Entry {
    /// The task it is about, if it is about one.
    var task: TaskID? {
        switch kind {
        case .requestSubmitted(let submission): submission.task
        case .taskChanged(let change): change.task
        case .taskResponse(let task, _, _), .taskProgress(let task, _, _): task
        case .taskFinished(let end): end.task
        case .receiptFinished(let end): end.task
        case .warning(_, _, let task): task
        default: nil
        }
    }
}
