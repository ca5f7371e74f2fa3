public import SluiceCore

/// The one way in: what other threads send, and what becomes of it in the next turn.
extension ImagePipeline {
    /// Queues a command and returns at once; a pipeline that has ended does nothing with it.
    public nonisolated func send(_ command: PipelineCommand) { post(.command(command)) }

    /// Submits one request and reports its outcome, exactly once.
    ///
    /// - Parameters:
    ///   - request: What is asked for.
    ///   - completion: Called on the loop's thread; while it runs, every transfer waits. For a pipeline that has ended it
    ///     is called at once, on the thread that submits, with a cancelled outcome.
    /// - Returns: What ``cancel(_:)`` takes; need not be kept.
    @discardableResult
    public nonisolated func submit(
        _ request: DownloadRequest,
        completion: @escaping @Sendable (RequestOutcome) -> Void
    ) -> RequestHandle {
        let handle = RequestHandle(request, owner: ObjectIdentifier(self), completion: completion)
        if !post(.submit(request, handle)) { handle.finish(.cancelled) }
        return handle
    }

    /// Takes back one request, and not what others want of the same download; from any thread.
    ///
    /// Behind what was sent before it. Its completion hears that it is cancelled; what becomes of its task is as
    /// ``PipelineCommand/cancel(_:)`` says. A request whose turn has not come is never submitted, and no event tells of it.
    /// Nothing happens if it has its outcome, or if it is another pipeline's.
    public nonisolated func cancel(_ handle: RequestHandle) { post(.withdraw(handle)) }

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
            if inbox.end != nil { return nil }
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
            defer { (inbox.items, inbox.saved) = ([], nil) }
            return inbox
        }
        for item in taken.items { take(item) }
        if let saved = taken.saved { stateSaved(saved) }
    }

    private func take(_ item: Inbox.Item) {
        switch item {
        case .command(let command): accept(command)
        case .submit(let request, let handle): accept(request, handle)
        case .withdraw(let handle): withdraw(handle)
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
        let end = Inbox.End(seq: lastSeq, time: now)
        let late = inbox.withLock { inbox in
            defer {
                inbox = Inbox()
                inbox.end = end
            }
            return inbox
        }
        for item in late.items {
            switch item {
            case .submit(_, let handle): handle.finish(.cancelled)
            case .query(_, let reply): answer(.shuttingDown, reply)
            case .readSaved(_, let completion): completion(.failure(.cancelled))
            case .storedBody(let news): if case .block(_, let reader?) = news.result { reader.close() }
            case .command, .withdraw, .remembered, .finishWhenIdle, .decoded, .scaled, .summed, .lookedUp, .copied,
                .scaledBeside, .deleted, .sketched:
                break
            }
        }
    }
}
