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
        restoring.isWaiting = wait != nil
        // What was paused, or waits, must not start on the way back.
        if restored.isPaused || wait != nil { scheduler.isSuspended = true }
        submit(restored.request)
        if let task = restoring.task {
            keepPlace(of: task)
        } else {
            // Answered, or refused: there is nothing left of it.
            keep(.restoredEnded(restored.row))
        }
        (scheduler.order, scheduler.isSuspended) = (settings.order, isSuspended)
        if restored.isPaused, let task = restoring.task {
            _ = pause(task, why: restored.mayHaveReachedServer ? restoring.whyPaused : nil)
            noteProgress(of: task, restored)
        } else if let wait, let task = restoring.task,
            scheduler.restoreWait(task, until: now + wait, delay: wait)
        {
            notebook[task].reason = .restoredWaiting
            changed(task, .waiting, reason: .restoredWaiting, until: now + wait, delay: wait)
        }
        restoring.end()
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
