internal import SluiceCore

/// Answers from files that were saved before.
extension ImagePipeline {
    /// Gives a restored request the copy that its process did not come to make.
    ///
    /// - Returns: `false` if the file is not as it was saved.
    func copySavedBody(_ demand: Demand) -> Bool {
        guard let files, let known = knownFiles.equals(demand.key).first(where: { files.isIntact($0) }) else {
            return false
        }
        copy(known, demand)
        return true
    }

    /// Answers from an earlier save: a thread of the pool copies the file, without a slot.
    func copy(_ known: SavedFile, _ demand: Demand) {
        let request = demand.request
        let (receipt, task, _) = claim(demand, answersFromDisk: true)
        // Where it can't be copied after all, it is asked for as any other.
        notebook.add(demand.target, of: task)
        counts.cached += 1
        emit(.requests) {
            var news = Submission(
                url: demand.url.url,
                outcome: .cached,
                why: .savedEarlier(path: known.path),
                origin: request.source
            )
            (news.source, news.receipt, news.task, news.tag) = (.disk, receipt, task, request.tag)
            return .requestSubmitted(news)
        }
        // The file's path stands in for the destination that it was saved for, which is forgotten; a file under its usual
        // name counts as saved without one.
        let usualName = usualName(nil, demand.key)
        let isUsual =
            request.options.destination != nil && isWanted(known, demand.key, .standard)
            && known.path.hasSuffix("/\(usualName)")
        if beginCopies(known, named: isUsual ? nil : known.path, usually: usualName, for: task, next: .earlierSave) {
            return
        }
        // It may be where the request wants it, however that spelled its place.
        if let round = copies[task], round.refused.isEmpty { answer(task, by: round) } else { fetchInstead(task) }
    }

    /// Ends a task that got its files from an earlier save.
    func answer(_ id: TaskID, by copies: DestinationCopies) {
        guard let task = scheduler.task(id), task.phase == .answering else { return }
        let image = image(at: CacheKey(key: task.key.text), of: task.key)
        var thumbnails = copies.thumbnails
        for size in scheduler.receipts(of: id).compactMap(\.options.thumbnail) where thumbnails[size] == nil {
            thumbnails[size] = self.image(at: CacheKey(key: task.key.text, id: size.id), of: task.key)
        }
        // Who joined may want it in a size that is not in memory.
        if let image, let job = thumbnailJob(image, for: id, beside: thumbnails) {
            let serial = copies.serial
            pool.add(task.priority) { [self] in
                let made = job.run()
                post(.scaledBeside(id, serial: serial, made))
            }
            return
        }
        if let image, !copies.thumbnails.isEmpty { store(image, copies.thumbnails, of: task, isNews: false) }
        let file = scheduler.firstReceipt(of: id).flatMap { copies.granted[$0.id] } ?? copies.source.path
        counts.succeeded += 1
        let stored = storedHead(ofSavedBody: task.key)
        let answer = stored?.head ?? bareHead(of: copies.source, task)
        emit(.tasks) { .taskResponse(id, answer, source: .disk) }
        if let response = stored?.response {
            responses?.use(response)
            let freshUntil = HTTPCacheRules.freshUntil(response, now: configuration.wallClock())
            report(.hit, response, .besideMemory, freshUntil: freshUntil)
        }
        var end = self.end(of: task, .success)
        (end.source, end.status, end.bytes, end.file) = (.disk, answer.status, copies.source.size, file)
        end.isFileUnchanged = copies.source.isAt(file) || copies.unchanged.contains(ExactText(file))
        end.image = image?.info
        let (receipt, target) = (scheduler.firstReceipt(of: id), notebook.target(of: id))
        deliver(Delivery(end, image: image, thumbnails: thumbnails, files: copies.granted))
        guard let options = receipt?.options, (options.policy ?? settings.policy) == .refresh else { return }
        askBehind(url(of: task), target.user, options)
    }

    /// What the server said of the body that was saved, where that is stored.
    private func storedHead(ofSavedBody key: MergeKey) -> (response: StoredResponse, head: ResponseHead)? {
        let stored = responses?.responses(for: key.url, now: now) ?? []
        guard let response = stored.first(where: { knownFiles.saved(key, from: $0.id) != nil }) else { return nil }
        return (response, response.head(age: Freshness(response, now: configuration.wallClock()).ageSeconds))
    }

    /// Of what the server said nothing is left but that it was a success.
    private func bareHead(of file: SavedFile, _ task: DownloadTask) -> ResponseHead {
        var head = ResponseHead.Content(status: 200, finalURL: url(of: task))
        head.expected = file.size
        return ResponseHead(head)
    }

    /// The earlier file is gone meanwhile, or can't be copied: the network has it, where it may be asked.
    func fetchInstead(_ id: TaskID) {
        guard let task = scheduler.task(id), task.phase == .answering else { return }
        if mayNotFetch(id) {
            let error = DownloadError(
                .notCached,
                "the earlier file could not be copied, and the network is not asked"
            )
            var end = noteFailure(error, of: task)
            end.source = .disk
            return deliver(Delivery(end))
        }
        scheduler.fetchAfterAll(id)
        changed(id, .queued, reason: .earlierFileGone)
    }
}
