public import SluiceCore

/// The one way in: what other threads send, and what becomes of it in the next turn.
extension ImagePipeline {
    /// Queues a command and returns at once.
    public nonisolated func send(_ command: PipelineCommand) { post(.command(command)) }

    /// Submits one request and reports its outcome, on the loop's thread.
    public nonisolated func submit(
        _ request: DownloadRequest,
        completion: @escaping @Sendable (RequestOutcome) -> Void
    ) {
        if !post(.submit(request, completion)) { completion(.cancelled) }
    }

    /// Ends the pipeline once every request has its outcome and no task is live.
    public nonisolated func finishWhenIdle() { post(.finishWhenIdle) }

    /// - Returns: `false` if the pipeline has ended, and nothing was done.
    @discardableResult
    nonisolated func post(_ item: Inbox.Item) -> Bool { change { $0.items.append(item) } }

    /// Says how far the changes of the state are safe.
    nonisolated func post(_ saved: Inbox.Saved) {
        change { $0.saved = .init(number: max($0.saved?.number ?? 0, saved.number), problem: saved.problem) }
    }

    @discardableResult
    private nonisolated func change(_ change: (inout Inbox) -> Void) -> Bool {
        let wasEmpty: Bool? = inbox.withLock { inbox in
            if inbox.isClosed { return nil }
            let wasEmpty = inbox.isEmpty
            change(&inbox)
            return wasEmpty
        }
        if wasEmpty == true { executor.wake() }
        return wasEmpty != nil
    }

    /// Does what was sent since the last turn, in the order sent.
    func takeInbox() {
        let taken = inbox.withLock { inbox in
            defer { inbox = Inbox() }
            return inbox
        }
        for item in taken.items { take(item) }
        if let saved = taken.saved { stateSaved(saved) }
    }

    private func take(_ item: Inbox.Item) {
        switch item {
        case .command(let command): accept(command)
        case .submit(let request, let completion): accept(request, completion)
        case .query(let query, let reply): accept(query, reply)
        case .readSaved(let url, let completion): readSaved(url, completion)
        case .remembered(let state): take(state)
        case .finishWhenIdle: if phase == .running { phase = .draining }
        case .decoded(let transfer, let result): decoded(transfer, result)
        case .scaled(let transfer, let image, let thumbnails): scaled(transfer, image, thumbnails)
        case .summed(let transfer, let result): summed(transfer, result)
        case .lookedUp(let host, let isTemporary): lookedUp(host, isTemporary: isTemporary)
        case .copied(let news): copied(news)
        case .scaledBeside(let task, let serial, let thumbnails): scaledBeside(task, serial, thumbnails)
        case .storedBody(let news): storedBodyNews(news)
        case .deleted(let key, let file, let error): deleted(key, file, error)
        case .sketched: sketching.running = nil
        }
    }

    /// Answers who came too late; from now on ``post(_:)`` says so.
    func closeInbox() {
        let late = inbox.withLock { inbox in
            defer {
                inbox = Inbox()
                inbox.isClosed = true
            }
            return inbox
        }
        for item in late.items {
            switch item {
            case .submit(_, let completion): completion(.cancelled)
            case .query(_, let reply): answer(.shuttingDown, reply)
            case .readSaved(_, let completion): completion(.failure(.cancelled))
            case .storedBody(let news): if case .block(_, let reader?) = news.result { reader.close() }
            case .command, .remembered, .finishWhenIdle, .decoded, .scaled, .summed, .lookedUp, .copied, .scaledBeside,
                .deleted, .sketched:
                break
            }
        }
    }
}
