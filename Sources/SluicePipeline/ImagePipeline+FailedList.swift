internal import SluiceCore

/// The failed list, and what of it outlives the process.
extension ImagePipeline {
    /// Remembers a failure by its key; the next session, which knows no task to try again, asks for `url`.
    func remember(failure error: DownloadError, of task: DownloadTask, url: String) {
        let until = now + settings.failedFor
        // Of no use where nothing outlives the process.
        let mark = journal.keepsQueue ? circumstances(trust: trust.book(of: task.id)).mark(of: error.code) : nil
        failed.insert(task.key, error.withoutBody, until: until, circumstances: mark)
        keepFailure(task.key.text, url: url, error, until: until, mark)
    }

    private func keepFailure(
        _ key: String,
        url: String,
        _ error: DownloadError,
        until: Timestamp,
        _ circumstances: String?
    ) {
        let end = Int((Duration.nanoseconds(nanosecondsSince1970) + (until - now)).components.seconds)
        keepQueue(.failed(FailedRecord(key: key, url: url, error: error, until: end, circumstances: circumstances)))
    }

    /// What failures may come from.
    ///
    /// - Parameters:
    ///   - settings: Those that held; `nil` for those that hold now.
    ///   - book: Who was trusted; `nil` for what holds for requests to come.
    /// - Returns: What is the same in every session that is set up in this way.
    func circumstances(settings: Settings? = nil, trust book: TrustBook? = nil) -> FailureCircumstances {
        FailureCircumstances(
            settings: settings ?? self.settings,
            trust: book ?? trust.book,
            userAgent: userAgent,
            route: configuration.route
        )
    }

    /// Takes over the failures of earlier sessions, but for those that may come from what is otherwise now.
    func restore(_ records: [FailedRecord]) {
        if records.isEmpty { return }
        let marks = circumstances().marks
        for record in records {
            // Earlier versions don't say what it came from.
            if let mark = record.circumstances, mark != marks[record.error.code] {
                keepQueue(.notFailed(record.key))
                continue
            }
            // This session's own setting bounds what an earlier one remembered.
            let left = min(Duration.seconds(record.until) - .nanoseconds(nanosecondsSince1970), settings.failedFor)
            guard left > .zero else { continue }
            let (until, mark) = (now + left, record.circumstances)
            failed.insert(record.key, url: record.url, record.error, until: until, circumstances: mark)
        }
    }

    /// Keeps how long failures are remembered, which changed for all of them.
    func keepFailures() {
        guard journal.keepsQueue else { return }
        for (key, entry) in failed.all {
            keepFailure(key, url: entry.url, entry.error, until: entry.until, entry.circumstances)
        }
    }

    /// Forgets the failures that a change may have cured.
    func forgetFailures(where isCured: (DownloadError) -> Bool) {
        for key in failed.clear(where: isCured) { keepQueue(.notFailed(key)) }
    }

    /// Forgets the failures that may come from what is otherwise now.
    func forgetFailures(since old: FailureCircumstances) {
        if failed.count == 0 { return }
        let cured = circumstances().cured(since: old)
        if !cured.isEmpty { forgetFailures { cured.contains($0.code) } }
    }

    func forgive(_ key: MergeKey) {
        if failed.remove(key) { keepQueue(.notFailed(key.text)) }
    }

    /// Forgets what failed of one URL, or of all.
    func forgetFailures(of url: String?) {
        let keys = url.map { failed.remove(url: $0) } ?? failed.removeAll()
        for key in keys { keepQueue(.notFailed(key)) }
    }
}
