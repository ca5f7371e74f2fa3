import SluiceCore
import SluiceTestSupport
import Testing

struct EventEncoderTests {
    // 2026-11-21T10:15:59Z, at 10 s of the monotonic clock.
    private let encoder = EventEncoder(
        start: SessionStart(
            time: Timestamp(nanoseconds: 10_000_000_000),
            nanosecondsSince1970: 1_795_256_159_000_000_000
        ),
        sentence: { why, now in "why at \(now.nanoseconds / 1_000_000)" }
    )

    @Test func everyKindFollowsTheSchema() throws {
        for (index, kind) in SampleEvents.kinds.enumerated() {
            let line = try line(of: kind, seq: index + 1)
            try EventSchema.check(line: line)
        }
    }

    @Test func frameCountsFromTheStart() throws {
        let event = try EventSchema.check(line: line(of: .warning(code: .name, message: "b", task: nil), seq: 42))
        #expect(event["seq"] == .integer(42))
        #expect(event["t"] == .number(1.25))
        #expect(event["time"] == .string("2026-11-21T10:16:00.250Z"))
        #expect(event["task"] == nil)
    }

    @Test func whatLiesAheadIsTimeOfDay() throws {
        var change = TaskChange(phase: .waiting, task: TaskID(3), url: "u", attempt: 2, active: 0, queued: 1)
        (change.until, change.delay) = (Timestamp(nanoseconds: 13_500_000_000), .milliseconds(2250))
        change.reason = .retryTimeCame
        let event = try EventSchema.check(line: line(of: .taskChanged(change)))
        #expect(event["until"] == .string("2026-11-21T10:16:02.500Z"))
        #expect(event["delay"] == .number(2.25))
        #expect(event["reason"] == .string("why at 11250"))
    }

    @Test func textSurvivesAndIsSafeToShow() throws {
        let text = "a\"\\/\n\r\t\0\u{1B}\u{7F}\u{9B}\u{85}\u{2028}\u{202E}\u{200B}\u{FEFF}\u{E0041}é日👩‍👧"
        let line = try line(of: .warning(code: .name, message: text, task: nil))
        #expect(line.unicodeScalars.allSatisfy { !$0.isHazardous })
        #expect(try JSONValue(parsing: line)["message"] == .string(text))
        #expect(line.contains("\\udb40\\udc41"), "beyond 16 bits as a pair")
        #expect(line.contains("é日"))
    }

    @Test func whatAnAnswerLeadsToIsLoggedWithoutCredentials() throws {
        var head = ResponseHead.Content(status: 201, finalURL: "http://h/")
        head.fields = [HeaderField("Location", "http://u:secret@h/"), HeaderField("Link", "<http://u:secret@h/>")]
        let line = try line(of: .taskResponse(TaskID(1), ResponseHead(head), source: .network))
        #expect(!line.contains("secret") && line.contains("<http://h/>"), "\(line)")
    }

    @Test func linesFollowEachOther() throws {
        var bytes: [UInt8] = []
        for seq in 1...3 {
            encoder.append(
                PipelineEvent(seq: seq, t: .zero, kind: .warning(code: .name, message: "b", task: nil)),
                to: &bytes
            )
        }
        let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
        #expect(try lines.map { try EventSchema.check(line: String($0))["seq"]?.int } == [1, 2, 3])
    }

    @Test func numbersAreWrittenWhole() throws {
        for number in [0, 7, 10, 99, 100, 1_234_567_890_123, -5] {
            let kind = PipelineEvent.Kind.settingChanged(name: "retries", from: .integer(number), to: .integer(1))
            #expect(try JSONValue(parsing: line(of: kind))["from"] == .integer(number))
        }
        for (value, text) in [(0.17, "0.17"), (60, "60"), (0, "0"), (1e9, "1000000000")] {
            let kind = PipelineEvent.Kind.settingChanged(name: "timeout", from: .seconds(value), to: .seconds(1))
            #expect(try line(of: kind).contains("\"from\":\(text),"))
        }
    }

    private func line(of kind: PipelineEvent.Kind, seq: Int = 1) throws -> String {
        var bytes: [UInt8] = []
        encoder.append(PipelineEvent(seq: seq, t: .milliseconds(1250), kind: kind), to: &bytes)
        let text = String(decoding: bytes, as: UTF8.self)
        try #require(text.hasSuffix("}\n") && !text.dropLast().contains("\n"))
        return String(text.dropLast())
    }
}
