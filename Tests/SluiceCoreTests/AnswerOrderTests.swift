import SluiceCore
import SluiceTestSupport
import Testing

/// The rules that tests hold every stream's events of the HTTP cache to, broken one at a time.
struct AnswerOrderTests {
    /// One made-up stream that is wrong.
    struct Fault: Sendable, CustomTestStringConvertible {
        let problem: String
        let change: @Sendable (inout [PipelineEvent.Kind]) -> Void
        var testDescription: String { problem }

        init(_ problem: String, _ change: @escaping @Sendable (inout [PipelineEvent.Kind]) -> Void) {
            (self.problem, self.change) = (problem, change)
        }
    }

    @Test func aProperStreamPasses() throws {
        #expect(try EventStreamChecker.check(Self.stream.lines).count == 36)
    }

    @Test(arguments: faults) func aFaultIsFound(fault: Fault) {
        var stream = Self.stream
        fault.change(&stream)

        let violation = #expect(throws: EventSchema.Violation.self) {
            try EventStreamChecker.check(stream.lines)
        }

        #expect(violation?.description.contains(fault.problem) == true, "\(violation?.description ?? "")")
    }

    private static let faults = [
        Fault("httpcache.stored of http://h/a for task 1, which is about http://h/b") {
            $0[6] = cache(.stored, "http://h/a")
        },
        Fault("httpcache.stored of http://h/b after httpcache.stored") { $0.insert($0[6], at: 6) },
        Fault("task.progress after httpcache.stored") { $0.insert($0[5], at: 7) },
        Fault("task.response after httpcache.stored") { $0.insert($0.remove(at: 6), at: 4) },
        Fault("session.ended after httpcache.stored") { $0.insert($0[6], at: 35) },
        Fault("httpcache.stored of http://h/b for task 1, which failed") {
            $0[7] = .taskFinished(end(1, "http://h/a", .network, DownloadError(.badImage, "none")))
        },
        Fault("stored 999999999 bytes in all, where 157286400 are allowed") {
            $0[6] = cache(.stored, "http://h/b", usage: 999_999_999)
        },
        Fault("stored more than there is") { $0[6] = cache(.stored, "http://h/b", usage: 8) },
        Fault("httpcache.hit of http://h/b for task 2, which had no answer") { $0.remove(at: 10) },
        Fault("httpcache.hit of http://h/b for task 1, which network answered") { $0[6] = cache(.hit, "http://h/b") },
        Fault("httpcache.hit of http://h/a for task 2, which is about http://h/b") {
            $0[11] = cache(.hit, "http://h/a")
        },
        Fault("task 2 ended from disk without httpcache.hit") { $0.remove(at: 11) },
        Fault("task 2 succeeded without task.response") { $0.removeSubrange(10...11) },
        Fault("task 3 ended from revalidated without httpcache.revalidated") { $0.remove(at: 18) },
        Fault("httpcache.revalidated of http://h/b for task 3, which network answered") {
            $0[17] = response(3, "http://h/b", .network)
        },
        Fault("task 3 was answered from revalidated before it started") { $0.insert($0.remove(at: 17), at: 15) },
        Fault("task 3 was answered from disk before it started") {
            $0.insert(response(3, "http://h/b", .disk), at: 15)
        },
        Fault("httpcache.skipped of http://h/c for task 4, which had no answer") { $0.remove(at: 29) },
        Fault("task.resumed after httpcache.skipped") { $0.insert($0[25], at: 27) },
        Fault("httpcache.skipped of http://h/c, which is fresh") { $0[25] = cache(.skipped, "http://h/c", fresh: 9) },
        Fault("httpcache.evicted of http://h/b, which is fresh") { $0[34] = cache(.evicted, "http://h/b", fresh: 9) },
        Fault("task 1 ended from disk, answered from network") {
            $0[7] = .taskFinished(end(1, "http://h/a", .disk))
        },
    ]

    /// One task from the network by a redirect, one from disk, one that is asked about, and one that fails twice.
    private static let stream: [PipelineEvent.Kind] = {
        var counts = SessionCounts()
        (counts.requests, counts.tasks, counts.cached) = (4, 4, 1)
        (counts.succeeded, counts.failed) = (3, 1)
        let failure = DownloadError(.badStatus, "503", status: 503)
        var waiting = change(.waiting, 4, attempt: 2, active: 0)
        (waiting.until, waiting.delay) = (Timestamp(nanoseconds: 0), .zero)
        return [
            .sessionStarted(version: "1", pid: 1, settings: Settings()), submission(1, "http://h/a"),
            .taskChanged(change(.started, 1)), .taskProgress(TaskID(1), received: 0, expected: nil),
            response(1, "http://h/b", .network, redirects: 1), .taskProgress(TaskID(1), received: 9, expected: 9),
            cache(.stored, "http://h/b", fresh: 9), .taskFinished(end(1, "http://h/a", .network)), receipt(1),
            submission(2, "http://h/b", isFromDisk: true), response(2, "http://h/b", .disk),
            cache(.hit, "http://h/b", fresh: 9), .taskFinished(end(2, "http://h/b", .disk)), receipt(2),
            submission(3, "http://h/b"), .taskChanged(change(.started, 3)),
            .taskProgress(TaskID(3), received: 0, expected: nil), response(3, "http://h/b", .revalidated),
            cache(.revalidated, "http://h/b"), .taskFinished(end(3, "http://h/b", .revalidated)), receipt(3),
            submission(4, "http://h/c"), .taskChanged(change(.started, 4)),
            .taskProgress(TaskID(4), received: 0, expected: nil), response(4, "http://h/c", .network),
            cache(.skipped, "http://h/c"), .taskChanged(waiting), .taskChanged(change(.resumed, 4, attempt: 2)),
            .taskProgress(TaskID(4), received: 0, expected: nil), response(4, "http://h/c", .network),
            cache(.skipped, "http://h/c"), .warning(code: .refresh, message: "none", task: TaskID(4)),
            .taskFinished(end(4, "http://h/c", .network, failure)), receipt(4, failure),
            cache(.evicted, "http://h/b"), .sessionEnded(counts),
        ]
    }()

    private static func submission(_ task: Int, _ url: String, isFromDisk: Bool = false) -> PipelineEvent.Kind {
        let outcome = isFromDisk ? Submission.Outcome.cached : .started
        var submission = Submission(url: url, outcome: outcome, why: .slotFree(active: 0, limit: 4), origin: .program)
        (submission.task, submission.receipt) = (TaskID(task), ReceiptID(task))
        if isFromDisk { submission.source = .disk }
        return .requestSubmitted(submission)
    }

    private static func change(
        _ phase: TaskChange.Phase,
        _ task: Int,
        attempt: Int = 1,
        active: Int = 1
    ) -> TaskChange {
        TaskChange(phase: phase, task: TaskID(task), url: "u", attempt: attempt, active: active, queued: 0)
    }

    private static func response(
        _ task: Int,
        _ url: String,
        _ source: AnswerSource,
        redirects: Int = 0
    ) -> PipelineEvent.Kind {
        var head = ResponseHead(status: 200, finalURL: url)
        (head.fields, head.redirects) = ([HeaderField("ETag", "1")], redirects)
        return .taskResponse(TaskID(task), head, source: source)
    }

    private static func cache(
        _ verb: HTTPCacheChange.Verb,
        _ key: String,
        usage: Int = 9,
        fresh: Int64? = nil
    ) -> PipelineEvent.Kind {
        .httpCacheChanged(
            HTTPCacheChange(verb: verb, key: key, bytes: 9, usage: usage, freshUntil: fresh, why: .validated)
        )
    }

    private static func end(
        _ task: Int,
        _ url: String,
        _ source: AnswerSource,
        _ error: DownloadError? = nil
    ) -> TaskEnd {
        var end = TaskEnd(task: TaskID(task), url: url, outcome: error == nil ? .success : .failed, receipts: 1)
        (end.source, end.error) = (source, error)
        return end
    }

    private static func receipt(_ number: Int, _ error: DownloadError? = nil) -> PipelineEvent.Kind {
        let outcome: Outcome = error == nil ? .success : .failed
        var end = ReceiptEnd(receipt: ReceiptID(number), task: TaskID(number), url: "u", outcome: outcome)
        end.error = error
        return .receiptFinished(end)
    }
}
