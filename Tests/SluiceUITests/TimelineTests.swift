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

    /// Nothing was measured of its end: the head tells of the phases before it, and no more.
    @Test func whatIsAbortedWithinItsBodyHasTheTimeThatTook() {
        var journal = TaskRecords()
        journal.take(PipelineEvent(seq: 1, t: .seconds(1), kind: .taskChanged(TaskDetailTests.start(of: 5))))
        var head = ResponseHead.Content(status: 200, finalURL: "http://a/")
        head.timings = TransferTimings(total: .seconds(2))
        head.timings?.firstByte = .seconds(2)
        journal.take(
            PipelineEvent(seq: 2, t: .seconds(3), kind: .taskResponse(TaskID(5), ResponseHead(head), source: .network))
        )
        let end = TaskEnd(task: TaskID(5), url: "http://a/", outcome: .cancelled, receipts: 1)
        journal.take(PipelineEvent(seq: 3, t: .seconds(9), kind: .taskFinished(end)))
        let spans = Timeline(journal[TaskID(5)], nil, now: .seconds(60), start: Scene.start).spans
        #expect(spans.map(\.label) == ["first byte", "body"] && spans.last?.length == .seconds(6))
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

    /// Where it had no slot: in the queue, waiting for its time, or because somebody paused it.
    @Test func timesWithoutASlotAreToldApart() {
        var journal = TaskRecords()
        var change = TaskDetailTests.start(of: 5)
        func go(_ phase: TaskChange.Phase, _ second: Int, _ reason: Why? = nil) {
            (change.phase, change.reason) = (phase, reason)
            journal.take(PipelineEvent(seq: second, t: .seconds(second), kind: .taskChanged(change)))
        }
        func spans(_ now: Int) -> [String] {
            Timeline(journal[TaskID(5)], nil, now: .seconds(now), start: Scene.start).spans.map { span in
                let note = span.note.isEmpty ? "" : " (\(span.note))"
                return "\(span.label) \(Int(span.length.seconds))\(note)\(span.isLive ? " …" : "")"
            }
        }
        journal.take(PipelineEvent(seq: 1, t: .seconds(1), kind: .requestSubmitted(Self.submission(of: 5))))
        go(.queued, 1)
        #expect(spans(3) == ["queued 2 …"])
        go(.suspended, 4, .pausedByUser(gaveSlot: false))
        #expect(spans(6) == ["queued 3", "paused 2 (by the user) …"])
        go(.queued, 9, .resumedByUser)
        #expect(spans(10) == ["queued 3", "paused 5 (by the user)", "queued 1 …"])
        go(.started, 11)
        let begun = ["queued 3", "paused 5 (by the user)", "queued 2"]
        #expect(spans(11) == begun + ["first byte 0"])
        let error = DownloadError(.connectionLost, "lost")
        go(.waiting, 13, .retryAfter(error, next: 2, of: 2, serverAsked: false))
        go(.suspended, 16, .pausedByUser(gaveSlot: false))
        go(.queued, 17, .resumedByUser)
        go(.resumed, 17)
        #expect(spans(18).suffix(3) == ["waiting 3 (connectionLost)", "paused 1 (by the user)", "first byte 1"])
        #expect(spans(18).count == 7, "in no time it was queued")
        let end = TaskEnd(task: TaskID(5), url: change.url, outcome: .cancelled, receipts: 1)
        go(.suspended, 20, .pausedByUser(gaveSlot: false))
        journal.take(PipelineEvent(seq: 30, t: .seconds(26), kind: .taskFinished(end)))
        #expect(spans(40).last == "paused 6 (by the user)")
    }

    /// Only so many attempts are known.
    @Test func whatIsForgottenIsNotSaidToBeTheQueue() {
        var journal = TaskRecords()
        var change = TaskDetailTests.start(of: 5)
        journal.take(PipelineEvent(seq: 1, t: .seconds(1), kind: .requestSubmitted(Self.submission(of: 5))))
        for attempt in 0..<12 {
            let t = Duration.seconds(2 + attempt * 2)
            change.phase = attempt == 0 ? .started : .resumed
            journal.take(PipelineEvent(seq: 2, t: t, kind: .taskChanged(change)))
            change.phase = .waiting
            journal.take(PipelineEvent(seq: 3, t: t + .seconds(1), kind: .taskChanged(change)))
        }

        let spans = Timeline(journal[TaskID(5)], nil, now: .seconds(30), start: Scene.start).spans

        #expect(spans.first?.label == "earlier")
        #expect(spans.filter { $0.label == "waiting" }.count == 9, "the one before the first known, too")
        #expect(zip(spans, spans.dropFirst()).allSatisfy { $0.end == $1.start }, "without a gap")
    }

    private static func submission(of task: Int) -> Submission {
        var submission = Submission(
            url: "http://a/",
            outcome: .queued,
            why: .slotsTaken(active: 1, limit: 1, ahead: 0),
            origin: .prompt
        )
        (submission.task, submission.receipt) = (TaskID(task), ReceiptID(1))
        return submission
    }
}
