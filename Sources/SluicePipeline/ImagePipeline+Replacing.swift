internal import SluiceCore

/// Trying again what failed, and under another URL.
extension ImagePipeline {
    /// Submits everything on the failed list again.
    func retryFailed() {
        for (key, entry) in failed.all where key == entry.url {
            let options = RequestOptions.standard.retrying
            submit(DownloadRequest(entry.url, options: options, source: .prompt))
        }
    }

    /// Goes on with another URL for what an expired one began; the part stays.
    func replaceURL(of id: TaskID, with text: String) {
        let url: RequestURL
        do throws(DownloadError) {
            url = try RequestURL(text)
        } catch {
            warn("url", error.message, task: id)
            return
        }
        let old: (key: String, request: DownloadRequest)
        if let task = scheduler.task(id), let receipt = scheduler.firstReceipt(of: id) {
            let request = DownloadRequest(
                text,
                options: receipt.options.retrying,
                source: receipt.source,
                tag: receipt.tag
            )
            old = (task.key.text, request)
            apply(.abort(id))
        } else if let (failed, _) = failedRequests.take(id) {
            let options = failed.options
            let key = MergeKey(url: failed.url, headers: options.headers, sha256: options.sha256)
            // What goes on elsewhere has not failed for good.
            forgive(key)
            old = (key.text, DownloadRequest(text, options: options.retrying, source: failed.source, tag: failed.tag))
        } else {
            warn("url", "there is no such task any more: add the new URL", task: nil)
            return
        }
        adopt(partOf: old.key, for: MergeKey(url: url.url, headers: old.request.options.headers).text)
        submit(old.request)
    }

    /// Lets another key continue a part; only a tag and a length say that it is the same file elsewhere.
    private func adopt(partOf old: String, for new: String) {
        guard old != new, var record = parts[old], case .entityTag = record.validator, record.total != nil else {
            return
        }
        parts[old] = nil
        record.key = new
        parts[new] = record
        keep(.part(record))
    }
}
