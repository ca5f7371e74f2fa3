import SluiceCore
import SluicePipeline
import Testing

/// The journal of tasks sees what it needs, whoever else listens.
@Suite(.timeLimit(.minutes(5)))
struct JournalTests {
    @Test(arguments: [[], [.tasks], [.failures, .session], [.all]] as [[EventInterest]])
    func whatEndedIsKnownWhateverListenersWant(interests: [EventInterest]) throws {
        let bare = BarePipeline(hearing: interests, configuring: { $0.keepsJournal = true })
        bare.pipeline.send(.submit([DownloadRequest("http://a.example/a")]))
        bare.askWhenIdle(.task(TaskID(1)))
        bare.run()

        guard case .task(let report)? = bare.replies.first?.answer else {
            Issue.record("\(bare.replies.map(\.answer))")
            return
        }
        #expect(report.state == .ended && report.end?.error?.code == .cannotConnect)
        #expect(report.history.map(\.event) == ["request.submitted", "task.started", "task.finished"])
        #expect(report.receipts.count == 1)
    }

    @Test func listenersHearNoMoreForIt() {
        let bare = BarePipeline(hearing: [.tasks], configuring: { $0.keepsJournal = true })
        bare.pipeline.send(.submit([DownloadRequest("http://a.example/a")]))
        bare.run()
        #expect(bare.events.map(\.kind.name).allSatisfy { ["task.started", "task.queued"].contains($0) })
        #expect(bare.events.changes(.started).count == 1)
    }

    @Test func withoutAJournalNothingIsMadeForIt() {
        let bare = BarePipeline(hearing: [])
        bare.pipeline.send(.submit([DownloadRequest("http://a.example/a")]))
        bare.askWhenIdle(.task(TaskID(1)))
        bare.run()
        guard case .unknownTask(TaskID(1))? = bare.replies.first?.answer else {
            Issue.record("\(bare.replies.map(\.answer))")
            return
        }
        #expect(bare.replies.first?.seq == 0)
    }
}
