internal import SluiceCore

/// Trying again what failed, and under another URL.
extension ImagePipeline {
    /// Submits everything on the failed list again.
    func retryFailed() {
        var unknown = 0
        for (key, entry) in failed.all {
            if let failure = failedRequests.take(key: key) {
                retry(failure)
            } else if isPlain(entry.url, key) {
                submit(DownloadRequest(entry.url, options: RequestOptions.standard.retrying, source: .prompt))
            } else {
                unknown += 1
            }
        }
        guard unknown > 0 else { return }
        let what = "\(unknown) of them failed in an earlier session"
        warn("retry", "\(what), with headers, credentials or a sum that are not kept: add them again", task: nil)
    }

    /// Submits what failed once more.
    func retry(_ failure: RecentRequests.Failure) {
        var again = failure.request
        again.options = failure.request.options.retrying
        submit(again, keptCredentials: failure.credentials)
    }

    /// Whether a request has this key that is nothing but a URL.
    private func isPlain(_ text: String, _ key: String) -> Bool {
        do throws(DownloadError) {
            let url = try RequestURL(text)
            return mergeKey(url, .standard, credentials(for: url)).text == key
        } catch {
            return false
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
        } else if let failure = failedRequests.take(id) {
            var request = failure.request
            (request.url, request.options) = (text, request.options.retrying)
            // What goes on elsewhere has not failed for good.
            forgive(failure.key)
            old = (failure.key.text, request)
        } else {
            warn("url", "there is no such task any more: add the new URL", task: nil)
            return
        }
        adopt(partOf: old.key, for: mergeKey(url, old.request.options, credentials(for: url)).text)
        submit(old.request)
    }

    /// Lets another key continue a part; only a tag and a length say that it is the same file elsewhere.
    private func adopt(partOf old: String, for new: String) {
        guard old != new, var record = parts[old], case .entityTag = record.validator, record.total != nil else {
            return
        }
        parts[old] = nil
        // Who names the new URL says that it is the same file.
        (record.key, record.finalURL) = (new, "")
        parts[new] = record
        keep(.part(record))
    }
}
