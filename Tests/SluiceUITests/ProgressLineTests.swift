import SluiceCore
import Testing

@testable import SluiceUI

/// The row of `sluice get`: what it says, and that it keeps to the width.
struct ProgressLineTests {
    private static func snapshot(requests: Int, _ rows: [PipelineSnapshot.Row]) -> PipelineSnapshot {
        var snapshot = PipelineSnapshot(time: Scene.now)
        snapshot.active = rows
        snapshot.rate = rows.reduce(0) { $0 + $1.rate }
        snapshot.received = rows.reduce(0) { $0 + $1.received }
        snapshot.counts.requests = requests
        return snapshot
    }

    private static func row(_ received: Int, of expected: Int?, name: String = "a.iso") -> PipelineSnapshot.Row {
        var row = Scene.row(1, name, "a.example", received: received, of: expected)
        row.rate = 1_048_576
        return row
    }

    private func text(_ snapshot: PipelineSnapshot, _ columns: Int = 80) -> String {
        ProgressLine(snapshot, columns: columns).facts.map(\.text).joined(separator: " · ")
    }

    @Test(arguments: [
        (3_145_728, 12_582_912, "a.iso · 25% of 12.0 MiB · 1.0 MiB/s · 0:09 left"),
        (0, 12_582_912, "a.iso · 0% of 12.0 MiB · 1.0 MiB/s · 0:12 left"),
        // More than announced is all of it.
        (Int.max, 1, "a.iso · 100% of 1 B · 1.0 MiB/s · 0:00 left"), (3_145_728, nil, "a.iso · 3.0 MiB · 1.0 MiB/s"),
        (3, 0, "a.iso · 3 B · 1.0 MiB/s · 0:00 left"),
    ])
    func oneDownloadHasItsNameAndShare(received: Int, expected: Int?, line: String) {
        #expect(text(Self.snapshot(requests: 1, [Self.row(received, of: expected)])) == line)
    }

    @Test func aStalledDownloadSaysSo() {
        var row = Self.row(5, of: 10)
        (row.rate, row.silentSince) = (0, Scene.now + .seconds(-6))
        let line = ProgressLine(Self.snapshot(requests: 1, [row]), columns: 80)
        #expect(line.facts.map(\.text) == ["a.iso", "50% of 10 B", "stalled", "0 KiB/s"])
        #expect(line.facts.map(\.isAlarming) == [false, false, true, false])
    }

    @Test func manyAreCounted() {
        var snapshot = Self.snapshot(requests: 9, [Self.row(0, of: 1_048_576), Self.row(1_048_576, of: 2_097_152)])
        #expect(text(snapshot) == "2 active · 0 queued · 0 done · 2.0 MiB/s · 0:01 left · 1.0 MiB")
        (snapshot.queuedCount, snapshot.waitingCount) = (4, 1)
        (snapshot.counts.succeeded, snapshot.counts.failed) = (2, 1)
        (snapshot.counts.saved, snapshot.counts.savedBytes) = (2, 4_194_304)
        #expect(
            text(snapshot)
                == "2 active · 4 queued · 1 waiting · 2 done · 1 failed · 2.0 MiB/s · ~0:05 left"
        )
        #expect(ProgressLine(snapshot, columns: 80).facts.filter(\.isAlarming).map(\.text) == ["1 failed"])
    }

    @Test func aTerminalWithoutUnicodeGetsNone() {
        let row = Self.row(5, of: 10, name: "grüße-" + String(repeating: "a", count: 90))
        let line = ProgressLine(Self.snapshot(requests: 1, [row]), columns: 80, isASCII: true)
        let text = line.facts.map(\.text).joined(separator: line.separator)
        #expect(text.allSatisfy { $0.isASCII } && text.hasPrefix("gr??e-aaa") && text.contains(" - "), "\(text)")
    }

    @Test func everyWidthIsKept() {
        let name = "絵文字-\u{1B}[31m-" + String(repeating: "long-", count: 40) + ".jpeg"
        let scenes = [
            Self.snapshot(requests: 1, [Self.row(3_145_728, of: 12_582_912, name: name)]),
            Self.snapshot(requests: 9, [Self.row(3_145_728, of: 12_582_912, name: name)]),
        ]
        for snapshot in scenes {
            for columns in 1...120 {
                let line = text(snapshot, columns)
                #expect(TextWidth.columns(of: line) < max(2, columns), "\(columns): \(line)")
                #expect(!line.unicodeScalars.contains { $0.value < 32 || $0.value == 127 })
            }
        }
        #expect(text(scenes[0], 80).hasSuffix(".jpeg · 25% of 12.0 MiB · 1.0 MiB/s · 0:09 left"), "\(text(scenes[0]))")
    }
}
