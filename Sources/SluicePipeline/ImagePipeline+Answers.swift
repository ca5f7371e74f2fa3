internal import SluiceCore

/// Answering tasks with stored bodies: reading, saving and decoding.
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
        let saver = wishes.saves ? receipts.first { $0.options.saves(at: wishes.name) } : nil
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
        if answer.stored.source == .disk, !answer.stored.isTold {
            emit(.tasks) { .taskResponse(id, head, source: .disk) }
        }
        answer.stored.isTold = true
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
        } dropped: {
            reader.close()
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
        } dropped: {
            job.drop()
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
}
