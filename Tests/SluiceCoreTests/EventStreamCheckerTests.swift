import SluiceCore
import SluiceTestSupport
import Testing

struct EventStreamCheckerTests {
    @Test func properStreamPasses() throws {
        let events = try EventStreamChecker.check(Self.stream.lines)
        #expect(events.count == Self.stream.count)
    }

    @Test(arguments: [
        (2, "joined task 1, which is unknown"),
        (3, "receipt 2 of task 1 is unknown"),
        (4, "progress of task 1, which does not run"),
        (6, "succeeded without task.response"),
        (7, "succeeded without progress"),
        (8, "receipt 1 ends before its task"),
        (9, "receipts [1] have no outcome"),
        (10, "receipts [2] have no outcome"),
    ])
    func missingEventIsFound(index: Int, problem: String) {
        var stream = Self.stream
        stream.remove(at: index - 1)
        // Progress comes twice; without the first alone nothing is wrong yet.
        if index == 7 { stream.remove(at: index - 3) }
        expect(problem, in: stream.lines)
    }

    @Test func eventsAfterTheEndAreFound() {
        for (index, problem) in [(4, "has ended"), (5, "after the end"), (10, "two outcomes")] {
            var stream = Self.stream
            stream.insert(stream[index - 1], at: stream.count - 1)
            if index == 4 { stream[stream.count - 2] = stream[2] }
            expect(problem, in: stream.lines)
        }
    }

    @Test func gapsAndUnknownFieldsAreFound() {
        let good = Self.stream.lines
        var gap = good
        gap.remove(at: 3)
        expect("seq is not 4", in: gap)
        var unknown = good
        unknown[3] = unknown[3].replacing("\"attempt\"", with: "\"attempts\"")
        expect("lacks attempt", in: unknown)
        var extra = good
        extra[3] = extra[3].replacing("{\"seq\"", with: "{\"more\":1,\"seq\"")
        expect("unknown more", in: extra)
        expect("no session.ended", in: Array(good.dropLast()))
        var control = good
        control[1] = control[1].replacing("http", with: "\u{1B}http")
        expect("a control character", in: control)
    }

    @Test func moreThanTheSlotsIsFound() {
        var stream = Self.stream
        var other = Submission(
            url: "http://o/",
            outcome: .started,
            why: .slotFree(active: 1, limit: 1),
            origin: .program
        )
        (other.task, other.receipt) = (TaskID(2), ReceiptID(3))
        stream.insert(.requestSubmitted(other), at: 4)
        stream.insert(
            .taskChanged(TaskChange(phase: .started, task: TaskID(2), url: "o", attempt: 1, active: 2, queued: 0)),
            at: 5
        )
        stream.insert(.settingChanged(name: "maxActive", from: .integer(4), to: .integer(1)), at: 1)
        expect("2 active, where maxActive is 1", in: stream.lines)
    }

    @Test(arguments: [(5, 0, "5 active, which are 1"), (0, 0, "0 active"), (1, 2, "2 queued, which are 0")])
    func wrongCountsAreFound(active: Int, queued: Int, problem: String) {
        var stream = Self.stream
        stream[3] = .taskChanged(
            TaskChange(phase: .started, task: TaskID(1), url: "u", attempt: 1, active: active, queued: queued)
        )
        expect(problem, in: stream.lines)
    }

    @Test func endsThatDoNotAddUpAreFound() {
        var stream = Self.stream
        var counts = SessionCounts()
        (counts.requests, counts.tasks, counts.joined) = (2, 1, 1)
        stream[stream.count - 1] = .sessionEnded(counts)
        expect("succeeded are 1, said to be 0", in: stream.lines)
    }

    private func expect(_ problem: String, in lines: [String], sourceLocation: SourceLocation = #_sourceLocation) {
        do {
            try EventStreamChecker.check(lines)
            Issue.record("nothing was found", sourceLocation: sourceLocation)
        } catch {
            #expect("\(error)".contains(problem), "\(error)", sourceLocation: sourceLocation)
        }
    }

    /// One task, two receipts.
    private static let stream: [PipelineEvent.Kind] = {
        var first = Submission(
            url: "http://h/",
            outcome: .started,
            why: .slotFree(active: 0, limit: 4),
            origin: .program
        )
        (first.task, first.receipt) = (TaskID(1), ReceiptID(1))
        var second = Submission(url: "http://h/", outcome: .joined, why: .joinedActive(receipts: 2), origin: .program)
        (second.task, second.receipt) = (TaskID(1), ReceiptID(2))
        var counts = SessionCounts()
        (counts.requests, counts.tasks, counts.joined, counts.succeeded) = (2, 1, 1, 1)
        let task = TaskID(1)
        return [
            .sessionStarted(version: "1", pid: 1, settings: Settings()),
            .requestSubmitted(first),
            .requestSubmitted(second),
            .taskChanged(TaskChange(phase: .started, task: task, url: "u", attempt: 1, active: 1, queued: 0)),
            .taskProgress(task, received: 0, expected: nil),
            .taskResponse(task, ResponseHead(status: 200, finalURL: "http://h/"), source: .network),
            .taskProgress(task, received: 9, expected: 9),
            .taskFinished(TaskEnd(task: task, url: "u", outcome: .success, receipts: 2)),
            .receiptFinished(ReceiptEnd(receipt: ReceiptID(1), task: task, url: "u", outcome: .success)),
            .receiptFinished(ReceiptEnd(receipt: ReceiptID(2), task: task, url: "u", outcome: .success)),
            .sessionEnded(counts),
        ]
    }()
}
