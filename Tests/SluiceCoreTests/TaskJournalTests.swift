import SluiceCore
import Testing

/// What is remembered of a task, from its first place in the queue on.
struct TaskJournalTests {
    private var journal = TaskJournal()

    @Test func whatWasQueuedSaysSoBeforeItStarts() {
        var journal = journal
        take(submission(1, .queued), at: 1, by: &journal)
        take(change(.queued, 1), at: 1, by: &journal)
        take(change(.started, 1), at: 5, by: &journal)
        #expect(history(of: 1, journal) == ["task.queued 1", "task.started 5"])
        take(change(.queued, 1), at: 7, by: &journal)
        take(end(1), at: 9, by: &journal)
        #expect(
            history(of: 1, journal)
                == ["request.submitted 1", "task.queued 1", "task.started 5", "task.queued 7", "task.finished 9"]
        )
    }

    @Test func whatStartsAtOnceWasNeverQueued() {
        var journal = journal
        take(submission(1, .started), at: 1, by: &journal)
        take(change(.started, 1), at: 1, by: &journal)
        take(submission(2, .queued), at: 1, by: &journal)
        take(change(.queued, 2), at: 1, by: &journal)
        take(change(.moved, 2), at: 2, by: &journal)
        #expect(history(of: 1, journal) == ["task.started 1"])
        #expect(history(of: 2, journal) == ["task.queued 1", "task.moved 2"])
    }

    @Test func whatIsCancelledInTheQueueWasQueued() {
        var journal = journal
        take(submission(1, .queued), at: 1, by: &journal)
        take(change(.queued, 1), at: 1, by: &journal)
        // One of two receipts, which the task outlives.
        let receipt = ReceiptEnd(receipt: ReceiptID(1), task: TaskID(1), url: "u", outcome: .cancelled)
        take(.receiptFinished(receipt), at: 2, by: &journal)
        #expect(history(of: 1, journal).isEmpty, "what only waits has no steps")
        take(end(1), at: 3, by: &journal)
        #expect(history(of: 1, journal) == ["request.submitted 1", "task.queued 1", "task.finished 3"])
    }

    @Test func whatGoesToTheQueueAfterAllSaysWhyAndWhen() {
        var journal = journal
        var change = TaskChange(phase: .queued, task: TaskID(1), url: "u", attempt: 1, active: 0, queued: 1)
        change.reason = .earlierFileGone
        take(.taskChanged(change), at: 4, by: &journal)
        take(self.change(.started, 1), at: 5, by: &journal)
        #expect(history(of: 1, journal) == ["task.queued 4", "task.started 5"])
    }

    /// More end at once than are kept: those that would be pushed out are not remembered first.
    @Test func whatEndsUnrememberedLeavesNothing() {
        var journal = journal
        take(submission(1, .started), at: 1, by: &journal)
        take(change(.started, 1), at: 1, by: &journal)
        take(end(2), at: 2, by: &journal)
        journal.remembersEnds = false
        for task in [1, 3] {
            take(end(task), at: 3, by: &journal)
            let receipt = ReceiptEnd(receipt: ReceiptID(task), task: TaskID(task), url: "u", outcome: .cancelled)
            take(.receiptFinished(receipt), at: 3, by: &journal)
        }
        journal.remembersEnds = true
        take(end(4), at: 4, by: &journal)
        #expect([1, 2, 3, 4].map { journal.ended(TaskID($0)) != nil } == [false, true, false, true])
        #expect(history(of: 1, journal).isEmpty && history(of: 3, journal).isEmpty)
    }

    @Test func whatServersSentWithRefusalsIsRememberedOfTheNewest() {
        var journal = journal
        let refusal = DownloadError(.badStatus, "404", status: 404, body: "where?")
        let count = TaskJournal.bodyLimit + 1
        for task in 1...count {
            var end = TaskEnd(task: TaskID(task), url: "u", outcome: .failed, receipts: 1)
            end.error = refusal
            take(.taskFinished(end), at: 1, by: &journal)
            var receipt = ReceiptEnd(receipt: ReceiptID(task), task: TaskID(task), url: "u", outcome: .failed)
            receipt.error = refusal
            take(.receiptFinished(receipt), at: 1, by: &journal)
        }
        for (task, body) in [(1, nil), (2, "where?"), (count, "where?")] as [(Int, String?)] {
            let report = journal.ended(TaskID(task))
            #expect(report?.end?.error?.code == .badStatus && report?.end?.error?.body == body)
            #expect(report?.receipts.map(\.error?.body) == [body])
        }
    }

    private func take(_ kind: PipelineEvent.Kind, at second: Int, by journal: inout TaskJournal) {
        let now = Timestamp(nanoseconds: Int64(second) * 1_000_000_000)
        // All were submitted in the first second.
        journal.take(PipelineEvent(seq: 1, t: .seconds(second), kind: kind), now: now) { _ in .seconds(1) }
    }

    private func submission(_ task: Int, _ outcome: Submission.Outcome) -> PipelineEvent.Kind {
        var submission = Submission(url: "u", outcome: outcome, why: .queueSuspended, origin: .program)
        (submission.task, submission.receipt) = (TaskID(task), ReceiptID(task))
        return .requestSubmitted(submission)
    }

    private func change(_ phase: TaskChange.Phase, _ task: Int) -> PipelineEvent.Kind {
        .taskChanged(TaskChange(phase: phase, task: TaskID(task), url: "u", attempt: 1, active: 1, queued: 0))
    }

    private func end(_ task: Int) -> PipelineEvent.Kind {
        .taskFinished(TaskEnd(task: TaskID(task), url: "u", outcome: .cancelled, receipts: 1))
    }

    private func history(of task: Int, _ journal: TaskJournal) -> [String] {
        var report = TaskReport(task: TaskID(task), url: "u", state: .active)
        journal.complete(&report)
        return report.history.map { "\($0.event) \(Int($0.t.seconds))" }
    }
}
