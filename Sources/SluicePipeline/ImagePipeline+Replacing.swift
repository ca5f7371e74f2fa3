internal import SluiceCore

/// Trying again what failed, and under another URL.
extension ImagePipeline {
    /// Submits everything on the failed list again.
    func retryFailed() {
        var (unknown, plain) = (0, [DownloadRequest]())
        for (key, entry) in failed.all {
            if let ended = retryable.failed.take(key: key) {
                retry(ended, by: .prompt)
            } else if isPlain(entry.url, key) {
                plain.append(DownloadRequest(entry.url, options: RequestOptions.standard.retrying, source: .prompt))
            } else {
                unknown += 1
            }
        }
        // They may be many.
        backlog.append(plain)
        guard unknown > 0 else { return }
        let what = "\(unknown) of them failed in an earlier session"
        warn(.retry, "\(what), with headers, credentials or a sum that are not kept: add them again", task: nil)
    }

    /// Submits what failed or was aborted once more; what was one task is one again.
    ///
    /// - Parameters:
    ///   - ended: What it was asked for.
    ///   - asker: Where a request of whoever tries again comes from.
    func retry(_ ended: RecentRequests.Ended, by asker: DownloadRequest.Source) {
        // Under the key that it failed with, which may be another by now.
        forgive(ended.key)
        let again = ended.requests.map { request in
            var again = request
            again.options = request.options.retrying
            return again
        }
        // Whoever tries again takes his turn.
        var standing = ended.standing
        (standing.isPaused, standing.hasBegun) = (false, false)
        submit(again, ended.credentials, inPlaceOf: standing, by: asker)
    }

    /// What the user made of a task, and whether it had begun, in this session or an earlier one.
    func standing(of task: DownloadTask) -> TaskStanding {
        var standing = TaskStanding(rate: notebook[task.id].rate, priority: task.isPriorityFixed ? task.priority : nil)
        (standing.isPaused, standing.hasBegun) = (task.phase == .paused, task.wasStarted || parts[task.key.text] != nil)
        return standing
    }

    /// Lets a new task stand as the one did whose place it takes.
    func take(_ standing: TaskStanding, _ task: TaskID) {
        if let rate = standing.rate { _ = setRate(rate, of: task) }
        if let priority = standing.priority {
            scheduler.restorePriority(task, priority, atFront: settings.order == .lifo)
        }
        if standing.hasBegun { _ = scheduler.move(task, by: -scheduler.queuedCount) }
        if standing.priority != nil || standing.hasBegun { keepPlace(of: task) }
    }

    /// Submits requests in place of those of a task that is gone.
    private func submit(
        _ requests: [DownloadRequest],
        _ user: Credentials?,
        inPlaceOf standing: TaskStanding,
        by asker: DownloadRequest.Source
    ) {
        for var request in requests {
            // Its batch has counted it: who tries again asks for it as for any other.
            if case .prefetch = request.source { request.source = asker }
            let task = submit(request, keptCredentials: user, standing: standing)
            if standing.isPaused, let task { _ = pause(task) }
        }
    }

    /// What the receipts of a task asked for, in the order of their submission.
    ///
    /// Without what nobody would miss: what was only asked behind an answer, and pictures on screen where others asked too.
    func requests(of receipts: [Receipt], for url: String) -> [DownloadRequest] {
        var wanted = receipts.filter { $0.source != .revalidation }
        if wanted.contains(where: { !$0.source.isView }) { wanted.removeAll { $0.source.isView } }
        return wanted.map { DownloadRequest(url, options: $0.options, source: $0.source, tag: $0.tag) }
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
            warn(.url, error.message, task: id)
            return
        }
        var old: RecentRequests.Ended
        let asked = requests(of: scheduler.receipts(of: id), for: text)
        if let task = scheduler.task(id), !asked.isEmpty {
            let user = notebook.target(of: id).user
            old = .init(key: task.key, requests: asked, credentials: user, standing: standing(of: task))
            apply(.steer(.abort, .task(id)))
            // It goes on elsewhere.
            _ = retryable.aborted.take(id)
        } else if let ended = retryable.take(id) {
            // What goes on elsewhere has not failed for good.
            forgive(ended.key)
            old = ended
            old.standing.isPaused = false
        } else {
            warn(.url, "there is no such task any more: add the new URL", task: nil)
            return
        }
        let leavesPrivate = isElsewhere(url, than: old.key.url)
        let user = leavesPrivate ? nil : old.credentials
        var hasLeft = leavesPrivate && url.credentials == nil && isOwn(old.credentials, of: old.key.url)
        let again = old.requests.map { request in
            var again = request
            (again.url, again.options) = (text, request.options.retrying)
            if leavesPrivate {
                let told = request.options.headers.filter { !HostRules.privateNames.contains($0.name.lowercased()) }
                hasLeft = hasLeft || told.count < request.options.headers.count
                again.options = again.options.with(headers: told)
            }
            return again
        }
        if hasLeft {
            let names = (["user"] + HostRules.privateNames.sorted()).joined(separator: ", ")
            warn(.url, "\(url.host) is not the server that its \(names) were for: it does not get them", task: nil)
        }
        if let first = again.first {
            adopt(partOf: old.key.text, for: mergeKey(url, first.options, credentials(for: url, kept: user)).text)
        }
        submit(again, user, inPlaceOf: old.standing, by: .prompt)
    }

    /// Whether a task was told who the user is by its own URL, and not by what holds for a server.
    private func isOwn(_ user: Credentials?, of text: String) -> Bool {
        guard let user else { return false }
        do throws(DownloadError) {
            return try user != credentials(for: RequestURL(text))
        } catch {
            return true
        }
    }

    /// Whether a URL leads to another server, who is not to learn what the first one was to be told.
    private func isElsewhere(_ url: RequestURL, than old: String) -> Bool {
        do throws(DownloadError) {
            return try RequestURL(old).origin != url.origin
        } catch {
            return true
        }
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
