import SluiceTestSupport
import Testing

@testable import SluiceCore

/// What the log says is read back as it was.
struct EventDecoderTests {
    // 2026-11-21T10:15:59Z.
    private let wallClock: Int64 = 1_795_256_159_000_000_000

    private func line(of event: PipelineEvent) -> [UInt8] {
        let encoder = EventEncoder(startTime: Recording.start, startWallClock: wallClock) { $0.sentence(now: $1) }
        var bytes: [UInt8] = []
        encoder.append(event, to: &bytes)
        return bytes
    }

    private func decoded(_ text: String) throws -> PipelineEvent? {
        try EventDecoder(startTime: Recording.start, startWallClock: wallClock).decode(JSONValue(parsing: text))
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
        #expect(read.why.sentence(now: Recording.start) == submission.why.sentence(now: Recording.start))
    }

    @Test func whyATaskWaitsIsReadBackWithItsError() throws {
        let error = DownloadError(.badStatus, "503; attempt 9 of 9 follows", status: 503)
        for asked in [false, true] {
            let why = Why.retryAfter(error, next: 2, of: 3, serverAsked: asked)
            #expect(Why(retry: why.sentence(now: Recording.start), error) == why)
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

/// A log is read line by line, and its faults are named by line.
struct RecordingReaderTests {
    private static let line =
        #"{"seq":N,"t":N.5,"time":"2026-11-21T10:16:00.250Z","event":"warning","code":"a","message":"b"}"#

    private func text(_ numbers: [Int]) -> String {
        numbers.map { Self.line.replacing("N", with: "\($0)") + "\n" }.joined()
    }

    private func read(_ text: String, pieces: Int = 7) throws(RecordingError) -> Recording {
        var reader = RecordingReader()
        let bytes = Array(text.utf8)
        for start in stride(from: 0, to: bytes.count, by: pieces) {
            try reader.add(bytes[start..<min(bytes.count, start + pieces)])
        }
        return try reader.finish()
    }

    private func problem(_ text: String) -> RecordingError? {
        do throws(RecordingError) {
            _ = try read(text)
            return nil
        } catch {
            return error
        }
    }

    @Test func piecesOfAnySizeMakeTheSameRecording() throws {
        for pieces in 1...200 {
            let recording = try read("\n" + text([1, 2, 5]) + "\r\n", pieces: pieces)
            #expect(recording.count == 3 && !recording.isCutOff)
            #expect(recording.times == [1_500_000_000, 2_500_000_000, 5_500_000_000])
            #expect(recording[2].seq == 5)
        }
    }

    @Test func theStartIsThatOfTheSession() throws {
        // 1.5 s before the first event.
        #expect(try read(text([1])).startWallClock == 1_795_256_160_250_000_000 - 1_500_000_000)
    }

    @Test func aLastLineThatIsCutOffIsLeftOut() throws {
        let whole = text([1, 2])
        for length in (whole.utf8.count / 2 + 1)..<(whole.utf8.count - 1) {
            let recording = try read(String(whole.prefix(length)))
            #expect(recording.count == (length == whole.utf8.count - 1 ? 2 : 1))
        }
        #expect(try read(String(whole.dropLast())).count == 2)
    }

    @Test func faultsAreNamedByLine() {
        #expect(problem(text([1]) + "x\n" + text([2]))?.line == 2)
        #expect(problem(text([1]) + "x\n")?.message.contains("it is no JSON") == true)
        #expect(problem(text([1, 2]) + text([1]))?.message.contains("another session begins here") == true)
        #expect(problem("")?.message.contains("record one with --events FILE") == true)
        #expect(problem("\n\n")?.line == nil)
        #expect(problem("#!/bin/sh\nls\n")?.line == 1)
    }

    @Test func aLineWithoutAnEndIsNotKept() throws {
        var reader = RecordingReader()
        let piece = [UInt8](repeating: UInt8(ascii: " "), count: 1_048_576)
        var failure: RecordingError?
        for _ in 0..<20 where failure == nil {
            do throws(RecordingError) { try reader.add(piece[...]) } catch { failure = error }
        }
        #expect(failure?.line == 1)
        #expect(failure?.message.contains("longer than 16 MiB") == true)
    }
}
