import SluiceCore
import SluiceTestSupport
import Testing

/// The words of warnings, which programs go by.
struct WarningCodeTests {
    /// As they stand in streams that others read: words may be added, and none is renamed.
    private static let words = [
        "cachePreferred", "certificateEnds", "control", "copy", "credentials", "diskFull", "diskSpace", "extraBytes",
        "fileDeleted",
        "fileKept", "httpCache", "insecure", "kept", "list", "name", "notDecoded", "notKept", "otherDirectory",
        "refresh", "retry", "series", "setting", "skipped", "state", "stateDamaged", "stateKept", "url",
    ]

    @Test func theWordsStay() {
        #expect(WarningCode.allCases.filter { $0 != .other }.map(\.rawValue).sorted() == Self.words)
    }

    @Test(arguments: words) func aWordIsWrittenAndReadBack(word: String) throws {
        let code = try #require(WarningCode(rawValue: word))
        let event = PipelineEvent(seq: 1, t: .zero, kind: .warning(code: code, message: "m", task: nil))
        var bytes: [UInt8] = []
        let encoder = EventEncoder(start: .zero)
        encoder.append(event, to: &bytes)
        let line = try EventSchema.check(line: String(decoding: bytes.dropLast(), as: UTF8.self))
        #expect(line["code"]?.string == word)
        let read = try EventDecoder(start: .zero).decode(line)
        guard case .warning(code, "m", nil)? = read?.kind else {
            Issue.record("\(String(describing: read))")
            return
        }
    }

    @Test func whatIsNotKnownIsNoWordOfTheStream() {
        let line = #"{"seq":1,"t":0,"time":"2026-11-21T10:16:00.250Z","event":"warning","code":"other","message":"m"}"#
        #expect(throws: EventSchema.Violation.self) { try EventSchema.check(line: line) }
    }
}
