internal import SluiceCore

/// Nobody hears of what changed the state before that is safe on disk, where a session keeps its queue.
extension ImagePipeline {
    /// Hands over what changed in this turn; where no more is to be expected, nothing waits for it.
    func flushState(all: Bool = false) {
        if !hasLiveTasks { responses?.hasten() }
        // An empty lot makes the keeper try those that wait.
        let mustRetry = journal.retryTime.map { $0 <= now } ?? false
        guard let keeper = journal.keeper, !journal.changes.isEmpty || mustRetry else { return }
        let isDue = stateDeadline.map { $0 <= now } ?? true || !hasLiveTasks
        guard journal.keepsQueue || all || journal.mustSaveNow || isDue else { return }
        let (number, changes) = journal.takeLot(now: now)
        keeper.save(changes) { [self] problem in
            post(Inbox.Saved(number: number, problem: problem))
        }
    }

    /// Hands over what a long command changed, and reports what of it is safe, while the command goes on.
    ///
    /// The store writes meanwhile, and neither changes nor news pile up. Cheap while a lot is not full.
    func handOverLot() {
        guard journal.keepsQueue, journal.changes.count >= StateJournal.mostUnsafe else { return }
        flushState()
        let saved = inbox.withLock { inbox in
            defer { inbox.saved = nil }
            return inbox.saved
        }
        if let saved { stateSaved(saved) }
    }

    /// Whether caches and history would outlive the process as they are now, as far as they can be kept.
    var isKept: Bool { journal.isSettled && responses?.isWritten ?? true }

    var hasLiveTasks: Bool { inScheduler { $0.liveCount > 0 } }

    /// When changes that wait for others are handed over.
    var stateDeadline: Timestamp? {
        guard !journal.changes.isEmpty else { return journal.retryTime }
        return journal.handedAt.map { $0 + StateJournal.interval }
    }

    func stateSaved(_ saved: Inbox.Saved) {
        journal.settle(upTo: saved.number)
        let known = journal.problem
        journal.problem = saved.problem
        if let problem = saved.problem {
            if journal.hasFailed, known?.mayPass != false {
                warn(.state, "nothing more is kept for next time: \(problem.message)", task: nil)
            } else if known == nil {
                let what = "what happens is not kept for next time until this passes"
                warn(.state, "\(what): \(problem.message)", task: nil)
            }
        } else if known != nil {
            warn(.stateKept, "what happens is kept for next time again, and nothing is missing", task: nil)
        }
        releaseHeld()
    }

    /// Reports what the safe changes have made true.
    func releaseHeld() {
        while let first = journal.held.first, first.after <= journal.safe {
            let (_, held) = first
            _ = journal.held.popFirst()
            switch held {
            case .event(let event, let kind): deliver(event, kind)
            case .call(let call): call()
            case .publish(let transfer, let image): publish(transfer, image)
            case .snapshot(let snapshot):
                journal.holdsSnapshot = false
                publishSnapshot?(snapshot)
            }
        }
    }

    /// Says something when all that happened before it is safe.
    func acknowledge(_ held: StateJournal.Held) {
        // What changed in this turn is handed over at its end.
        let after = journal.handed + (journal.changes.isEmpty ? 0 : 1)
        journal.held.append((after, held))
    }
}
