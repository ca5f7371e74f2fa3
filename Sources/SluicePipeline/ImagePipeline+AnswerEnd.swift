internal import SluiceCore

/// The end of an answer from disk: its file, its image, and those who waited for it; or why it is none.
extension ImagePipeline {
    func finish(_ answer: DiskAnswer, image: DecodedImage?) {
        guard let task = scheduler.task(answer.task) else { return }
        let body = answer.body
        let receipts = scheduler.receipts(of: task.id)
        let wantsFile = receipts.contains(where: \.options.saves)
        if lacks(answer, receipts) {
            // One joined meanwhile that wants a file, or an image.
            beginAgain(answer)
            return
        }
        // It was there when the answer began.
        if let known = answer.known, wantsFile, answer.step != .copying, files?.isIntact(known) != true {
            beginAgain(answer)
            return
        }
        do throws(DownloadError) {
            try publish(answer, task, wantsFile: wantsFile)
        } catch {
            fail(answer, error)
            return
        }
        var file = answer.published ?? answer.known
        if let saved = file {
            // A known file is where that wish wants it.
            let name = body.wishes.name
            let usualName = body.usualName ?? self.usualName(body.head, task.key)
            let next = DestinationCopies.Next.answer(serial: answer.serial, image)
            if beginCopies(saved, named: name, usually: usualName, for: task.id, next: next) {
                answer.step = .copying
                return
            }
            if answer.published != nil {
                let kept = self.file(of: task, savedAs: saved, body)
                file = kept
                if isUnwanted(kept, task, body) {
                    giveUp(kept, task.key)
                    file = nil
                }
            }
        }
        conclude(answer, task, file, image)
    }

    /// Whether an answer has nothing of what somebody wants who joined it.
    private func lacks(_ answer: DiskAnswer, _ receipts: [Receipt]) -> Bool {
        let body = answer.body
        if !body.wishes.decodes, receipts.contains(where: { $0.options.thumbnail != nil }) { return true }
        guard files != nil, answer.known == nil, answer.published == nil else { return false }
        let tried = body.skipped.union(notebook[answer.task].refusedPlaces)
        return receipts.contains { receipt in
            guard receipt.options.saves else { return false }
            return body.hasSkipped ? !tried.contains(receipt.options.place) : !body.wishes.saves
        }
    }

    /// Answers once more, as its receipts want it now.
    private func beginAgain(_ answer: DiskAnswer) {
        dropAnswer(answer.task, isReadAgain: true)
        beginAnswer(answer.task, answer.transfer, answer.stored)
    }

    /// Gives the file of an answer its name, once; or lets it go, where who wanted it has left others who don't.
    private func publish(_ answer: DiskAnswer, _ task: DownloadTask, wantsFile: Bool) throws(DownloadError) {
        let body = answer.body
        if let known = answer.known, answer.isUnseen {
            answer.isUnseen = false
            know(known, of: body, for: task.key)
            knownFiles.note(task.key, from: answer.response.id, image: body.wholeInfo)
        }
        guard let part = body.file, let files else { return }
        guard wantsFile else {
            files.discard(part)
            return
        }
        guard answer.published == nil else { return }
        let publication = publication(of: body, task.id)
        let standing = files.standing(body.wishes.replaces.all)
        let published = try files.publish(part, as: publication, lastModified: body.head?.lastModified)
        // What was there already with the same bytes was not made.
        answer.isPublishedUnchanged = standing.contains { $0.isSame(as: published) }
        if !answer.isPublishedUnchanged { countSaved(published) }
        know(published, of: body, for: task.key)
        knownFiles.note(task.key, from: answer.response.id, image: body.wholeInfo)
        answer.published = published
    }

    /// Ends a task whose answer is where it belongs, once every receipt has what it wants of it.
    private func conclude(_ answer: DiskAnswer, _ task: DownloadTask, _ file: SavedFile?, _ image: DecodedImage?) {
        guard let responses else { return }
        let (body, response, source) = (answer.body, answer.response, answer.stored.source)
        answers.remove(task.id)
        warnOfName(body, task.id)
        if let image {
            // What the origin said still holds is in memory as it is.
            if answer.body.isCurrent { store(image, answer.thumbnails, of: task, isNews: source != .revalidated) }
            if file == nil, knownFiles.saved(task.key, from: response.id) == nil { knownFiles.outdate(task.key) }
            noteFreshness(response, task.key)
        }
        let verb: HTTPCacheChange.Verb = source == .revalidated ? .revalidated : .hit
        let freshUntil = HTTPCacheRules.freshUntil(response, now: configuration.wallClock())
        report(verb, response, answer.stored.why, freshUntil: freshUntil)
        if answer.stored.isLast {
            evict(response, .noStoreNow)
        } else {
            responses.use(response)
            if let whole = answer.whole { responses.keepInMemory(whole, of: response, now: now) }
        }
        counts.succeeded += 1
        var end = self.end(of: task, .success)
        (end.source, end.status, end.bytes) = (source, response.status, response.size)
        end.file = file?.path
        if let file {
            end.isFileUnchanged = answer.published.map { $0.isAt(file.path) && answer.isPublishedUnchanged } ?? true
        }
        // Of a file that is there already nothing was read.
        end.image = image?.info ?? body.wholeInfo ?? knownFiles.image(task.key, from: response.id)
        let receipt = scheduler.firstReceipt(of: task.id)
        let target = notebook.target(of: task.id)
        let files = copies.granted(of: task.id)
        deliver(Delivery(end, image: image, thumbnails: answer.thumbnails, files: files), by: answer, task)
        guard answer.stored.revalidates, let receipt else { return }
        askBehind(end.url, target.user, receipt.options)
    }

    /// Goes on with an answer whose receipts have their copies.
    func copiesAreMade(for task: TaskID, _ serial: Int, _ image: DecodedImage?) {
        guard let answer = answers[task, serial: serial] else { return }
        // Who joined meanwhile may want a thumbnail too.
        if let image { scaleOrFinish(answer, image) } else { finish(answer, image: nil) }
    }

    /// Ends a task whose stored body is not acceptable, or can't be saved.
    func fail(_ answer: DiskAnswer, _ error: DownloadError) {
        guard let task = scheduler.task(answer.task) else { return }
        if answer.published == nil, refusePlace(error, task, answer.body) {
            beginAgain(answer)
            return
        }
        if error.code == .badImage { evict(answer.response, .noImage) }
        if error.isBadBody { keepBad(answer.body, of: task.id) }
        if error.code == .diskFull, configuration.isDashboard, !task.isDetached, waitForRoom(task, answer, error) {
            return
        }
        dropAnswer(task.id)
        var end = noteFailure(error, of: task)
        (end.source, end.bytes) = (answer.stored.source, answer.body.count)
        end.status = error.status ?? answer.response.status
        deliver(Delivery(end), by: answer, task)
        if error.code == .diskFull { endOnFullDisk() }
    }

    /// Ends a task, and the transfer that asked the origin for its answer.
    private func deliver(_ delivery: Delivery, by answer: DiskAnswer, _ task: DownloadTask) {
        if let transfer = answer.transfer { finish(transfer, of: task, delivery) } else { deliver(delivery) }
    }

    /// Asks the network after all, since the stored body is not what was stored.
    func giveUp(_ answer: DiskAnswer, _ why: HTTPCacheWhy) {
        guard let task = scheduler.task(answer.task) else { return }
        if why == .unreadable { notebook[task.id].hasNoFallback = true } else { evict(answer.response, why) }
        dropAnswer(task.id)
        if let transfer = answer.transfer {
            fetchWhole(task, transfer, .httpCache(why))
            return
        }
        if mayNotFetch(task.id) {
            fail(
                answer,
                DownloadError(.notCached, "what was stored is of no use any more, and the network is not asked")
            )
            return
        }
        scheduler.fetchAfterAll(task.id)
        changed(task.id, .queued, reason: .httpCache(why))
    }

    /// Whether all requests of a task forbid to ask the network.
    func mayNotFetch(_ id: TaskID) -> Bool {
        // A key's URL is normal, so it is one.
        guard let task = scheduler.task(id), let url = try? RequestURL(task.key.url) else { return false }
        return !scheduler.hasReceipt(of: id) { receipt in
            !receipt.forbidsNetwork && !isOnlyIfCached(receipt.options, url)
        }
    }

    /// Ends a task that only the network could answer, and has no answer under way, where all its requests forbid that.
    ///
    /// They joined others, who asked for it and have left. Where what is stored would have answered them without those,
    /// it is asked about.
    func refuseNetwork(_ id: TaskID) {
        guard let task = scheduler.task(id) else { return }
        switch task.phase {
        case .active, .answering: return
        case .queued, .waiting, .paused: break
        }
        guard mayNotFetch(id), !isAnsweredByStored(task) else { return }
        let error = DownloadError(.notCached, "no request that is left for it lets the network be asked")
        var end = noteFailure(error, of: task)
        if let answer = notebook[id].lastAnswer { (end.status, end.bytes) = (answer.status, answer.bytes) }
        deliver(Delivery(end))
    }

    /// Whether memory or disk would answer the first request of a task, as it says itself.
    private func isAnsweredByStored(_ task: DownloadTask) -> Bool {
        guard let receipt = scheduler.firstReceipt(of: task.id), receipt.options.sha256 == nil else { return false }
        let place = CacheKey(key: task.key.text, id: receipt.options.thumbnail?.id ?? "")
        if image(at: place, of: task.key) != nil, !settings.memoryFreshOnly || isFreshInMemory(task.key) { return true }
        guard let responses else { return false }
        let sample = transferRequest(task, receipt, saves: false)
        var asked = cacheRequest(task.key, sample.credentials, receipt.options, sample)
        if receipt.forbidsNetwork { asked = asked.with(.cacheOnly) }
        let stored = responses.responses(for: task.key.url, now: now)
        let reuse = HTTPCacheRules.reuse(stored, for: asked, now: configuration.wallClock())
        guard case .answer = reuse else { return false }
        return true
    }

    /// Lets go of an answer whose task is over, paused or answered otherwise, or which is read once more.
    func dropAnswer(_ task: TaskID, isReadAgain: Bool = false) {
        guard let answer = answers.remove(task) else { return }
        if answer.stored.isLast, !isReadAgain { evict(answer.response, .noStoreNow) }
        answer.pending?.reader?.close()
        if let file = answer.body.file { files?.discard(file) }
    }
}
