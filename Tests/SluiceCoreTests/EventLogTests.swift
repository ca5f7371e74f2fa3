import SluiceCore
import Testing

struct EventLogTests {
    private let log = EventLog(
        start: SessionStart(time: Timestamp(nanoseconds: 0), nanosecondsSince1970: 1_795_256_159_000_000_000),
        sentence: { _, _ in "because" }
    )

    @Test func everyKindIsOneSafeLine() {
        for kind in SampleEvents.kinds {
            let line = line(of: kind)
            #expect(line.hasPrefix("10:16:00.250 "))
            #expect(line.unicodeScalars.allSatisfy { !$0.isHazardous }, "\(line)")
        }
    }

    @Test func failureNamesCodeAndReason() {
        var end = TaskEnd(task: TaskID(3), url: "http://h/x", outcome: .failed, receipts: 1)
        end.error = SampleEvents.error
        #expect(
            line(of: .taskFinished(end))
                == "10:16:00.250 error  failed task 3, http://h/x: badStatus, 404 ^[[31mNot Found"
        )
    }

    private func line(of kind: PipelineEvent.Kind) -> String {
        var bytes: [UInt8] = []
        log.append(PipelineEvent(seq: 1, t: .milliseconds(1250), kind: kind), to: &bytes)
        return String(decoding: bytes.dropLast(), as: UTF8.self)
    }
}
