import SluiceCore
import Testing

@testable import SluiceUI

/// Where the time of a task went beside the network's own phases.
struct TimelineTests {
    @Test func decodingAndSavingAreSpansOfTheirOwn() {
        var journal = TaskRecords()
        journal.take(PipelineEvent(seq: 1, t: .seconds(1), kind: .taskChanged(TaskDetailTests.start(of: 5))))
        var end = TaskDetailTests.end(of: 5)
        journal.take(PipelineEvent(seq: 2, t: .seconds(3), kind: .taskFinished(end)))

        let spans = Timeline(journal[TaskID(5)], nil, now: .seconds(60), start: Scene.start).spans

        #expect(spans.map(\.label) == ["queued", "dns", "connect", "tls", "first byte", "body", "decode", "save"])
        #expect(spans.map(\.phase) == TaskPhase.allCases.filter { $0 != .redirects })
        #expect(spans[6].length == .milliseconds(300) && spans[7].length == .milliseconds(50))
        #expect(spans[6].end == spans[7].start && spans[7].end == .milliseconds(2_900), "they end with the task")
        end.timings?.save = nil
        journal.take(PipelineEvent(seq: 3, t: .seconds(3), kind: .taskFinished(end)))
        let unsaved = Timeline(journal[TaskID(5)], nil, now: .seconds(60), start: Scene.start).spans
        #expect(unsaved.last?.label == "decode" && unsaved.last?.end == .milliseconds(2_900))
    }

    /// Over the connection that they came from, and before one to where they led.
    @Test(arguments: [
        (300, ["dns 0.05", "connect 0.10", "tls 0.10", "redirects 0.05", "first byte 0.05"]),
        (20, ["redirects 0.02", "dns 0.03", "connect 0.10", "tls 0.10", "first byte 0.10"]),
    ])
    func redirectsHaveATimeOfTheirOwn(redirects: Int, phases: [String]) throws {
        var journal = TaskRecords()
        journal.take(PipelineEvent(seq: 1, t: .seconds(1), kind: .taskChanged(TaskDetailTests.start(of: 5))))
        var end = TaskDetailTests.end(of: 5)
        end.timings?.transfer.redirects = .milliseconds(redirects)
        journal.take(PipelineEvent(seq: 2, t: .seconds(3), kind: .taskFinished(end)))

        let spans = Timeline(journal[TaskID(5)], nil, now: .seconds(60), start: Scene.start).spans
        let text = { (label: String, length: Duration) in
            let hundredths = Int((length.seconds * 100).rounded())
            return "\(label) 0.\(hundredths < 10 ? "0" : "")\(hundredths)"
        }
        #expect(spans[1...5].map { text($0.label, $0.length) } == phases)
        let durations = try #require(end.timings).durations
        #expect(durations[1...5].map { text($0.phase.label, $0.length) } == phases)
    }

    /// Of an attempt that is followed by another nothing was measured; of the last one, what it came to.
    @Test(arguments: [
        (DownloadError.Code.cannotConnect, "connect", "no connection"), (.hostNotFound, "dns", "no address"),
        (.tlsUntrusted, "tls", "not trusted"), (.connectionLost, "first byte", ""),
    ])
    func anAttemptWithoutAnAnswerSaysHowFarItCame(code: DownloadError.Code, label: String, note: String) {
        var journal = TaskRecords()
        let error = DownloadError(code, "refused")
        var change = TaskDetailTests.start(of: 5)
        journal.take(PipelineEvent(seq: 1, t: .seconds(1), kind: .taskChanged(change)))
        (change.phase, change.delay) = (.waiting, .seconds(1))
        change.reason = .retryAfter(error, next: 2, of: 2, serverAsked: false)
        journal.take(PipelineEvent(seq: 2, t: .seconds(2), kind: .taskChanged(change)))
        change.phase = .resumed
        journal.take(PipelineEvent(seq: 3, t: .seconds(3), kind: .taskChanged(change)))
        var end = TaskEnd(task: TaskID(5), url: change.url, outcome: .failed, receipts: 1)
        end.error = error
        var transfer = TransferTimings(total: .seconds(1))
        if code == .cannotConnect { transfer.dns = .milliseconds(250) }
        end.timings = TaskEnd.Timings(queued: .zero, transfer: transfer)
        journal.take(PipelineEvent(seq: 4, t: .seconds(4), kind: .taskFinished(end)))

        let spans = Timeline(journal[TaskID(5)], nil, now: .seconds(60), start: Scene.start).spans

        let last = code == .cannotConnect ? ["dns", label] : [label]
        #expect(spans.map(\.label) == [label, "waiting"] + last)
        #expect(spans.first?.note == note && spans.last?.note == note)
        #expect(spans.last?.end == .seconds(3))
    }

    @Test func whatGoesOnAfterTheNetworkIsASpanThatIsLive() throws {
        var journal = TaskRecords()
        journal.take(PipelineEvent(seq: 1, t: .seconds(1), kind: .taskChanged(TaskDetailTests.start(of: 1))))
        var facts = try #require(TaskDetailTests.inspected.snapshot.inspected)
        facts.row.submitted = Scene.start
        facts.network = TaskDetailTests.end(of: 1).timings?.transfer
        facts.decoding = TaskFacts.Decoding(began: Scene.start + .milliseconds(2_600))
        func spans() -> ArraySlice<Timeline.Span> {
            Timeline(journal[TaskID(1)], facts, now: .seconds(4), start: Scene.start).spans.suffix(2)
        }
        #expect(spans().map(\.label) == ["body", "decode"])
        #expect(spans().map(\.isLive) == [false, true])
        #expect(spans().map(\.end) == [.milliseconds(2_550), .seconds(4)])
        facts.decoding?.ended = Scene.start + .seconds(3)
        #expect(spans().map(\.label) == ["decode", "save"])
        #expect(spans().map(\.isLive) == [false, true])
        #expect(spans().map(\.length) == [.milliseconds(400), .seconds(1)])
    }
}
