public import SluiceCore

/// Going on from what earlier sessions left.
extension ImagePipeline {
    /// Goes on from what earlier processes left; to be called once, if the configuration says that it will be.
    public nonisolated func remember(_ state: RememberedState) { post(.remembered(state)) }

    func take(_ state: RememberedState) {
        guard journal.isLoading else { return }
        journal.isLoading = false
        if let problem = state.problem { warn(ofUnread: problem) }
        if !state.elsewhere.isEmpty { warn(.otherDirectory, BegunElsewhere.sentence(of: state.elsewhere), task: nil) }
        if state.isSuspended { change(SettingChange(name: "suspended", value: .flag(true))) }
        // A request that merges with nothing never continues a part: such a part gives way like any other leftover.
        for part in state.parts where MergeKey.Text(part.key).urlOfOnce == nil { parts[part.key] = part }
        knownFiles.restore(state.files)
        restore(state.failed)
        restoring = RestoredQueue(state.requests, isSuspended: state.isSuspended)
    }

    private func warn(ofUnread problem: StateProblem) {
        guard problem.mayPass else { return warn(.stateDamaged, problem.message, task: nil) }
        // As if something could not be written: the end of that is told, too.
        journal.problem = problem
        let what = "what earlier sessions left stays for a later start"
        warn(.state, "\(what): \(problem.message)", task: nil)
    }

    /// Submits a request of an earlier session again, where it stood.
    func restore(_ restored: RestoredRequest) {
        scheduler.order = .fifo
        let wait = timeLeft(restored)
        (restoring.isWaiting, restoring.hasOtherTrust) = (wait != nil, isUnderOtherTrust(restored))
        let isPaused = restored.isPaused || restoring.hasOtherTrust
        // What was paused, or waits, must not start on the way back.
        if isPaused || wait != nil { scheduler.isSuspended = true }
        submit(restored.request)
        if let task = restoring.task {
            if restoring.hasOtherTrust { noteOtherTrust(of: task, restored) }
            keepPlace(of: task)
        } else {
            // Answered, or refused: there is nothing left of it.
            keep(.restoredEnded(restored.row))
        }
        (scheduler.order, scheduler.isSuspended) = (settings.order, isSuspended)
        if isPaused, let task = restoring.task {
            let isOfUser = !restoring.hasOtherTrust && !restored.mayHaveReachedServer
            _ = pause(task, why: isOfUser ? nil : restoring.whyPaused)
            noteProgress(of: task, restored)
        } else if let wait, let task = restoring.task,
            scheduler.restoreWait(task, until: now + wait, delay: wait)
        {
            notebook[task].reason = .restoredWaiting
            changed(task, .waiting, reason: .restoredWaiting, until: now + wait, delay: wait)
        }
        restoring.end()
    }

    /// Whether a request would ask its server under other rules of trust than it was asked for under.
    private func isUnderOtherTrust(_ restored: RestoredRequest) -> Bool {
        // Earlier versions don't say what held.
        guard let former = restored.trust, let url = try? RequestURL(restored.request.url),
            former != Self.trustMark(of: url.url, trust.book)
        else { return false }
        let options = restored.request.options
        return (options.policy ?? settings.policy) != .cacheOnly && !isOnlyIfCached(options, url)
    }

    /// Lets the next session know where a task stood that is to be paused for its trust.
    private func noteOtherTrust(of id: TaskID, _ restored: RestoredRequest) {
        var former = FormerStand(restored)
        // Others may have asked for the same.
        if let earlier = notebook[id].former {
            former.join(earlier)
        } else if scheduler.task(id)?.phase == .paused {
            former.isPaused = true
        }
        notebook[id].former = former
    }

    /// A task that was paused for its trust is resumed: the rules that hold now are its own from then on.
    func takeTrust(_ id: TaskID) {
        guard let former = notebook[id].former, let key = scheduler.task(id)?.key else { return }
        notebook[id].former = nil
        keepQueue(.trusted(id, key: key.historyText, trust: trustMark(of: key.url, id)))
        // What came under the former rules is not continued, and must not keep its name from what comes now.
        guard let old = former.key, old != key.text, let part = parts[old] else { return }
        parts[old] = nil
        keep(.noPart(part.location))
    }

    /// How long a task still has to wait for its next attempt; never longer than this session would wait for any, since
    /// the calendar may have been set meanwhile.
    private func timeLeft(_ restored: RestoredRequest) -> Duration? {
        guard let until = restored.waitsUntil, until > nanosecondsSince1970 else { return nil }
        let (left, longest) = (Duration.nanoseconds(until - nanosecondsSince1970), settings.maxRetryAfter)
        // Zero is no limit.
        return longest == .zero ? left : min(left, longest)
    }

    /// Lets a paused task show how far an earlier session came with it.
    private func noteProgress(of id: TaskID, _ restored: RestoredRequest) {
        guard let received = restored.received, let task = scheduler.task(id), let part = parts[task.key.text],
            part.validator != nil
        else { return }
        notebook[id].pausedAt = .init(received: received, expected: part.total)
    }
}
