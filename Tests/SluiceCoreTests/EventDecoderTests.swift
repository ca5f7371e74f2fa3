import SluiceTestSupport
import Testing

@testable import SluiceCore

/// What the log says is read back as it was.
struct EventDecoderTests {
    // 2026-11-21T10:15:59Z.
    private let start = SessionStart(time: Recording.startTime, nanosecondsSince1970: 1_795_256_159_000_000_000)

    private func line(of event: PipelineEvent) -> [UInt8] {
        let encoder = EventEncoder(start: start)
        var bytes: [UInt8] = []
        encoder.append(event, to: &bytes)
        return bytes
    }

    private func decoded(_ text: String) throws -> PipelineEvent? {
        try EventDecoder(start: start).decode(JSONValue(parsing: text))
    }

    private func problem(_ text: String) -> String {
        do {
            return try decoded(text) == nil ? "unknown" : "fine"
        } catch {
            return (error as? EventDecodingError)?.message ?? "\(error)"
        }
    }

    @Test func everyKindIsReadBackAndWrittenTheSame() throws {
        for (index, kind) in SampleEvents.kinds.enumerated() {
            let first = line(of: PipelineEvent(seq: index + 1, t: .milliseconds(1250), kind: kind))
            let text = String(decoding: first.dropLast(), as: UTF8.self)
            let event = try #require(try decoded(text), "\(text)")
            let again = String(decoding: line(of: event).dropLast(), as: UTF8.self)
            #expect(again == text)
        }
    }

    @Test(arguments: [
        DownloadRequest.Source.argument, .prompt, .paste, .standardInput(line: 12), .list(name: "a:b.txt", line: 3),
        .prefetch(BatchID(4)), .feed, .revalidation, .view(0), .program,
    ]) func whereARequestCameFromIsReadBack(source: DownloadRequest.Source) throws {
        var submission = Submission(url: "http://h/", outcome: .queued, why: .queueSuspended, origin: source)
        (submission.receipt, submission.task, submission.position) = (ReceiptID(1), TaskID(1), 1)
        let bytes = line(of: PipelineEvent(seq: 1, t: .zero, kind: .requestSubmitted(submission)))
        let text = String(decoding: bytes.dropLast(), as: UTF8.self)
        try EventSchema.check(line: text)
        guard case .requestSubmitted(let read)? = try decoded(text)?.kind else {
            Issue.record("no submission")
            return
        }
        #expect(read.origin == source)
        #expect(read.why.sentence(now: Recording.startTime) == submission.why.sentence(now: Recording.startTime))
    }

    @Test func whyATaskWaitsIsReadBackWithItsError() throws {
        let error = DownloadError(.badStatus, "503; attempt 9 of 9 follows", status: 503)
        for asked in [false, true] {
            let why = Why.retryAfter(error, next: 2, of: 3, serverAsked: asked)
            #expect(Why(retry: why.sentence(now: Recording.startTime), error) == why)
        }
        #expect(Why(retry: "waits", error) == nil)
        #expect(Why(retry: "", error) == nil)
    }

    @Test func whatIsNotKnownIsLeftOut() throws {
        #expect(problem(#"{"seq":1,"t":0,"event":"task.teleported","task":1}"#) == "unknown")
        #expect(problem(#"{"seq":1,"t":0,"event":"settings.changed","name":"warp","from":1,"to":2}"#) == "unknown")
        let event = try decoded(
            #"{"seq":1,"t":0,"event":"session.started","version":"9","pid":1,"more":[],"settings":{"warp":9,"retries":4}}"#
        )
        guard case .sessionStarted(_, _, let settings)? = event?.kind else {
            Issue.record("no session")
            return
        }
        #expect(settings.retries == 4)
    }

    @Test func aWarningOfALaterSluiceKeepsItsSentence() throws {
        let event = try decoded(#"{"seq":1,"t":0,"event":"warning","code":"warp","message":"too fast","task":3}"#)
        guard case .warning(.other, "too fast", TaskID(3))? = event?.kind else {
            Issue.record("\(String(describing: event))")
            return
        }
    }

    @Test(arguments: [
        ("[]", "an array stands where an object is due"), (#"{"t":0,"event":"warning"}"#, "its field seq"),
        (#"{"seq":1,"t":-1,"event":"warning"}"#, "its field t should be a time in seconds"),
        (#"{"seq":1,"t":1e300,"event":"warning"}"#, "its field t"),
        (#"{"seq":1,"t":0,"event":"task.progress","task":0,"received":1}"#, "its field task"),
        (#"{"seq":1,"t":0,"event":"task.progress","task":1,"received":9223372036854775807}"#, "its field received"),
        (#"{"seq":1,"t":0,"event":"indicator.changed","from":"x","to":"active","tasks":1}"#, "its field from"),
        (
            #"{"seq":1,"t":0,"event":"settings.changed","name":"maxActive","from":1,"to":65}"#,
            "the setting maxActive can be a whole number from 1 to 64"
        ),
        (
            #"{"seq":1,"t":0,"event":"cache.purged","trigger":"cleared","before":1,"needed":0,"freed":2,"preferred":1,"victims":[]}"#,
            "it freed more than there was"
        ),
    ]) func whatCannotBeIsNamed(text: String, sentence: String) {
        #expect(problem(text).contains(sentence), "\(problem(text))")
    }
}
