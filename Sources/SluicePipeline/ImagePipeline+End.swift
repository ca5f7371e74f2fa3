internal import SluiceCore

/// The end: what is left is counted, and everybody who waits hears of it.
extension ImagePipeline {
    /// Ends, once what was asked for before is submitted: the next session goes on with it, and programs get their answers.
    func shutDown() {
        guard isOpen else { return }
        phase = .closing
        endIfServed()
    }

    /// Goes on to the end if nothing is left that somebody would miss.
    func endIfServed() {
        guard phase == .closing, backlog.isDispensable || !(journal.keepsQueue || backlog.hasCalls),
            // The screen has said that it is done to all of them.
            steering.isEmpty || !journal.keepsQueue
        else { return }
        phase = .ending
        // Nobody is to get these next time, so they end here.
        for receipt in inScheduler({ $0.passingReceipts }) { _ = cancel(receipt) }
        for task in scheduler.active {
            if task.isDetached { drop(task) } else { _ = scheduler.pause(task.id) }
        }
        for task in answers.tasks { dropAnswer(task) }
        let keepsParts = journal.keeper != nil
        for (transfer, active) in transfers {
            if active.step != .abandoned {
                reportLastProgress(transfer)
                if keepsParts {
                    if active.published == nil { keepPart(active) }
                } else if let part = active.body.file {
                    files?.discard(part)
                }
            }
            transfers[transfer]?.step = .abandoned
            if active.end == nil {
                stop(transfer, active)
            } else {
                transfers[transfer] = nil
                scheduler.transferEnded(transfer)
            }
        }
    }

    /// Requests that the next session would go on with, if this one ended now.
    var leftCount: Int { scheduler.keptReceiptCount + backlog.requestCount + restoring.count }

    /// Ends the pipeline once nothing is to be done any more, or at once where that is wished for.
    func endIfIdle() {
        // Who waits for the end of all is answered before.
        if phase == .draining, isServed, !hasLiveTasks, callers.idleReplies.isEmpty, inbox.withLock({ $0.isEmpty }) {
            phase = .ending
        }
        guard phase == .ending, transfers.isEmpty, scheduler.activeCount == 0, removals == 0 else { return }
        flushState(all: true)
        guard journal.isSettled else { return }
        if journal.keeper == nil { dropParts() }
        phase = .ended
        counts.left = leftCount
        let unserved = backlog.removeAll()
        for handle in unserved.handles + callers.handles.values { handle.finish(.cancelled) }
        for reply in unserved.replies + callers.idleReplies { answer(.shuttingDown, reply) }
        callers = Callers()
        counts.tasks = scheduler.taskCount
        // What could not be written in the end is told of too.
        responses?.close()
        while let eviction = responses?.nextEviction() { evicted(eviction) }
        let counts = counts
        emit(.session) { .sessionEnded(counts) }
        snapshots.mustPublish = true
        memoryWatch = .tried(nil)
        lookups.close()
        closeInbox()
    }
}
