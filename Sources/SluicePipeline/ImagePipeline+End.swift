internal import SluiceCore

/// The end: what is left is counted, and everybody who waits hears of it.
extension ImagePipeline {
    /// Ends the pipeline once nothing is to be done any more, or at once where that is wished for.
    func endIfIdle() {
        if phase == .draining, backlog.isEmpty, !journal.isLoading, restoring.isEmpty,
            scheduler.liveCount == 0, inbox.withLock({ $0.isEmpty })
        {
            phase = .ending
        }
        guard phase == .ending, transfers.isEmpty, scheduler.activeCount == 0 else { return }
        flushState(all: true)
        guard journal.isSettled else { return }
        if journal.keeper == nil { dropParts() }
        phase = .ended
        counts.left = scheduler.liveReceiptCount + backlog.requestCount + restoring.count
        let unserved = backlog.removeAll()
        for completion in unserved.completions + completions.values { completion(.cancelled) }
        for reply in unserved.replies + idleReplies { answer(.shuttingDown, reply) }
        (completions, idleReplies) = ([:], [])
        counts.tasks = scheduler.taskCount
        let counts = counts
        emit(.session) { .sessionEnded(counts) }
        snapshots.mustPublish = true
        responses?.close()
        closeInbox()
    }

    /// Answers who came too late; from now on ``post(_:)`` says so.
    private func closeInbox() {
        let late = inbox.withLock { inbox in
            defer {
                inbox = Inbox()
                inbox.isClosed = true
            }
            return inbox
        }
        for order in late.orders {
            switch order {
            case .command: break
            case .submit(_, let completion): completion(.cancelled)
            case .query(_, let reply): answer(.shuttingDown, reply)
            }
        }
        for read in late.savedReads { read.completion(.failure(.cancelled)) }
        for news in late.answers {
            if case .block(_, let reader?) = news.result { reader.close() }
        }
    }
}
