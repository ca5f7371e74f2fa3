internal import SluiceCore

/// The failed list, and what of it outlives the process.
extension ImagePipeline {
    /// Remembers a failure by its key; the next session, which knows no task to try again, asks for `url`.
    func remember(failure error: DownloadError, of key: MergeKey, url: String) {
        let until = now + settings.failedFor
        failed.insert(key, error.withoutBody, until: until)
        keepFailure(key.text, url: url, error, until: until)
    }

    private func keepFailure(_ key: String, url: String, _ error: DownloadError, until: Timestamp) {
        let end = Int((Duration.nanoseconds(nanosecondsSince1970) + (until - now)).components.seconds)
        keepQueue(.failed(FailedRecord(key: key, url: url, error: error, until: end)))
    }

    /// Keeps how long failures are remembered, which changed for all of them.
    func keepFailures() {
        guard journal.keepsQueue else { return }
        for (key, entry) in failed.all { keepFailure(key, url: entry.url, entry.error, until: entry.until) }
    }

    /// Forgets the failures that a change may have cured.
    func forgetFailures(where isCured: (DownloadError) -> Bool) {
        for key in failed.clear(where: isCured) { keepQueue(.notFailed(key)) }
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
