internal import SluiceCore

/// Answering tasks with stored bodies: reading, saving, decoding, and the end.
extension ImagePipeline {
    /// Begins to answer a task from disk.
    ///
    /// - Parameters:
    ///   - id: An answering task, or one whose transfer asked the origin.
    ///   - transfer: The slot that it holds then.
    ///   - stored: What answers.
    func beginAnswer(_ id: TaskID, _ transfer: TransferID?, _ stored: StoredAnswer) {
        let response = stored.response
        guard let responses, let task = scheduler.task(id) else { return }
        let receipts = scheduler.receipts(of: id)
        // A task that is only detached has nobody to tell what is wanted now.
        let earlier = receipts.isEmpty ? transfer.flatMap { transfers[$0]?.body.wishes } : nil
        var wishes = earlier ?? self.wishes(task, receipts, notebook[id])
        (wishes.cacheRequest, wishes.isConditional, wishes.leavesEqual) = (nil, false, true)
        wishes.arrived = response.responseTime
        // One key may have several stored variants, of which a file that was made later may be another.
        wishes.sameResource = response.vary.isEmpty ? knownFiles.all(task.key) : []
        if receipts.isEmpty { wishes.saves = false }
        let saver = wishes.saves ? receipts.first { $0.options.saves && $0.options.destination == wishes.name } : nil
        let known = saver.flatMap { knownFile(task.key, $0, from: response) }
        if known != nil { wishes.saves = false }
        let answer = DiskAnswer(
            id,
            serial: answers.nextSerial(),
            transfer: transfer,
            stored,
            body: TransferBody(wishes, files: files, isStored: true),
            known: known,
            isUnseen: known != nil && knownFiles.saved(task.key, from: response.id) == nil
        )
        answers.add(answer)
        let isAtHand = if case .bytes = responses.body(of: response) { true } else { false }
        let isRead = known == nil || wishes.decodes || answer.isUnseen
        let needsFiles = wishes.saves || isRead && !isAtHand
        // A slot bounds those that have one.
        if transfer == nil, needsFiles, !answers.hasRoom {
            // Lest it is evicted before its turn.
            responses.use(response)
            answers.wait(answer, task.priority)
        } else {
            work(on: answer, task)
        }
    }

    /// Begins the answers for which there is room again.
    func workOnWaitingAnswers() {
        // Asked for in every turn, and nearly always there is none.
        if answers.isEmpty { return }
        // An answer that ends at once takes no room: bounded, so that keys get their turns.
        for _ in 0..<AnswerDesk.limit where answers.canOpen {
            guard let answer = answers.nextWaiting(), let task = scheduler.task(answer.task) else { continue }
            work(on: answer, task)
        }
    }

    private func work(on answer: DiskAnswer, _ task: DownloadTask) {
        guard let responses else { return }
        let (id, response) = (answer.task, answer.response)
        answers.open(answer)
        let head = response.head(age: answer.stored.age)
        if answer.stored.source == .disk { emit(.tasks) { .taskResponse(id, head, source: .disk) } }
        do throws(DownloadError) {
            try answer.body.begin(head)
        } catch {
            fail(answer, error)
            return
        }
        // The user has the file, and nobody wants to see it.
        if answer.known != nil, !answer.isUnseen, !answer.body.wishes.decodes {
            finish(answer, image: nil)
            return
        }
        let place = responses.body(of: response)
        if case .bytes(let bytes) = place {
            take(bytes, nil, for: answer)
            return
        }
        let (serial, size) = (answer.serial, response.size)
        // Opened here: what is evicted meanwhile can still be read then.
        let (opened, cause) = StoredBodyReader.open(place, size: size)
        guard let opened else {
            post(.storedBody(StoredBodyNews(task: id, serial: serial, result: .unusable(cause))))
            return
        }
        readOn(opened, answer, task.priority)
    }

    /// The file with the body of an answer, if it is where the request wants it.
    private func knownFile(_ key: MergeKey, _ receipt: Receipt, from response: StoredResponse) -> SavedFile? {
        guard let files else { return nil }
        if let known = knownFiles.saved(key, from: response.id) {
            return isWanted(known, key, receipt.options) && files.isIntact(known) ? known : nil
        }
        // What an earlier session saved and stored is one file with two names where the file system can.
        guard let known = knownFiles[key], known.size == response.size, isWanted(known, key, receipt.options),
            settings.onExists != .overwrite || known.path.hasSuffix("/\(usualName(nil, key))"),
            case .file(let stored)? = responses?.body(of: response)
        else { return nil }
        return files.secondName(of: stored, at: known)
    }

    private func readOn(_ reader: StoredBodyReader, _ answer: DiskAnswer, _ priority: Priority) {
        let (task, serial) = (answer.task, answer.serial)
        pool.add(priority) { [self] in
            var reader = reader
            let result = reader.next()
            let isTaken = post(.storedBody(StoredBodyNews(task: task, serial: serial, result: result)))
            if !isTaken, case .block(_, let reader?) = result { reader.close() }
        }
    }

    /// Takes what a thread of the pool brought.
    func storedBodyNews(_ news: StoredBodyNews) {
        guard let answer = answers[news.task, serial: news.serial] else {
            if case .block(_, let reader?) = news.result { reader.close() }
            return
        }
        if case .decoded = news.result, let transfer = answer.transfer { transfers[transfer]?.endDecoding(now) }
        switch news.result {
        case .block(let bytes, let reader): take(bytes, reader, for: answer)
        case .unusable(let why): giveUp(answer, why)
        case .decoded(.success(let image)): scaleOrFinish(answer, image)
        case .scaled(let image, let thumbnails):
            answer.thumbnails.merge(thumbnails) { $1 }
            scaleOrFinish(answer, image)
        case .decoded(.failure(let error)) where error.code == .unsupported: finish(answer, image: nil)
        case .decoded(.failure(let error)): fail(answer, error)
        }
    }

    /// Hands a block to the body, and reads on; or waits until there is room.
    private func take(_ bytes: [UInt8], _ reader: StoredBodyReader?, for answer: DiskAnswer) {
        if reader == nil, bytes.count == answer.response.size { answer.whole = bytes }
        do throws(DownloadError) {
            if !bytes.isEmpty {
                let received = answer.body.count + bytes.count
                guard try answer.body.write(bytes.span, received: received) == .taken else {
                    answer.pending = (bytes, reader)
                    return
                }
            }
            if let reader {
                readOn(reader, answer, scheduler.task(answer.task)?.priority ?? .normal)
                return
            }
            try completeAnswer(answer)
        } catch {
            reader?.close()
            fail(answer, error)
        }
    }

    private func completeAnswer(_ answer: DiskAnswer) throws(DownloadError) {
        guard try answer.body.complete() else {
            answer.step = .writing
            return
        }
        try decodeOrFinish(answer)
    }

    private func decodeOrFinish(_ answer: DiskAnswer) throws(DownloadError) {
        let body = answer.body
        guard body.isToBeDecoded, body.count <= Self.decodeLimit else {
            finish(answer, image: nil)
            return
        }
        answer.step = .decoding
        if let transfer = answer.transfer { transfers[transfer]?.beginDecoding(now) }
        let job = try decodeJob(of: body)
        let (task, serial) = (answer.task, answer.serial)
        pool.add(scheduler.task(task)?.priority ?? .normal) { [self] in
            let result = job.run()
            post(.storedBody(StoredBodyNews(task: task, serial: serial, result: .decoded(result))))
        }
    }

    // MARK: News of the writer thread

    /// The file of an answer has room again, or is written.
    func answerCanGoOn(_ file: FileID) {
        guard let answer = answers.writing(file) else { return }
        if let (bytes, reader) = answer.pending {
            answer.pending = nil
            take(bytes, reader, for: answer)
            return
        }
        do throws(DownloadError) {
            switch answer.step {
            case .reading: return
            case .writing: try decodeOrFinish(answer)
            case .decoding, .copying: return
            }
        } catch {
            fail(answer, error)
        }
    }

    func answerFailed(_ file: FileID, _ error: DownloadError) {
        guard let answer = answers.writing(file) else { return }
        fail(answer, error)
    }

    // MARK: The end

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
            return body.hasSkipped ? !tried.contains(receipt.options.destination) : !body.wishes.saves
        }
    }

    /// Answers once more, as its receipts want it now.
    private func beginAgain(_ answer: DiskAnswer) {
        dropAnswer(answer.task)
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
        let standing = files.standing(body.wishes.replaces)
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
        responses.use(response)
        if let whole = answer.whole { responses.keepInMemory(whole, of: response, now: now) }
        let verb: HTTPCacheChange.Verb = source == .revalidated ? .revalidated : .hit
        let freshUntil = HTTPCacheRules.freshUntil(response, now: configuration.wallClock())
        report(verb, response, answer.stored.why, freshUntil: freshUntil)
        counts.succeeded += 1
        var end = self.end(of: task, .success)
        (end.source, end.status, end.bytes) = (source, response.status, response.size)
        end.file = file?.path
        if let file {
            end.isFileUnchanged = answer.published.map { $0.path == file.path && answer.isPublishedUnchanged } ?? true
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
    private func fail(_ answer: DiskAnswer, _ error: DownloadError) {
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
    private func giveUp(_ answer: DiskAnswer, _ why: HTTPCacheWhy) {
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
        return scheduler.receipts(of: id).allSatisfy { receipt in
            (receipt.options.policy ?? settings.policy) == .cacheOnly || isOnlyIfCached(receipt.options, url)
        }
    }

    /// Lets go of an answer whose task is over, paused or answered otherwise.
    func dropAnswer(_ task: TaskID) {
        guard let answer = answers.remove(task) else { return }
        answer.pending?.reader?.close()
        if let file = answer.body.file { files?.discard(file) }
    }
}
