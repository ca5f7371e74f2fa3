import SluiceCore
import Testing

@testable import SluiceUI

/// The sign of a limit of its own, beside the name of a task.
struct RowMarksTests {
    private static func line(
        _ name: String,
        width: Int = 120,
        _ change: (inout PipelineSnapshot.Row) -> Void
    ) -> String {
        var row = Scene.row(1, name, "a.example", received: 204_800, of: 614_400)
        change(&row)
        var snapshot = Scene.empty.snapshot
        if case .queued = row.state {
            (snapshot.queued, snapshot.queuedCount) = ([row], 1)
        } else {
            snapshot.active = [row]
        }
        var driver = Driver(.empty, width, 24)
        _ = driver.send(.snapshot(snapshot))
        let start = name.prefix(4)
        return driver.text.split(separator: "\n").first { $0.contains(start) }.map(String.init) ?? driver.text
    }

    private static let states: [PipelineSnapshot.Row.State] = [.active, .queued(position: 1), .paused]

    @Test(arguments: states) func aLimitIsNamedWhereTheNameHasRoom(state: PipelineSnapshot.Row.State) {
        func line(_ name: String, _ width: Int, _ limit: Int = 512_000) -> String {
            Self.line(name, width: width) { ($0.state, $0.rateLimit) = (state, limit) }
        }
        #expect(line("dunes.jpg", 200).contains("dunes.jpg ≤ 500 KiB/s "))
        #expect(!line("dunes.jpg", 200, 0).contains("≤"))
        let long = line("dunes-of-the-western-desert-in-the-evening-light-with-camels-and-tents.jpg", 80)
        #expect(long.contains(".jpg ≤ "), "\(long)")
    }

    @Test func aNameIsWorthMoreThanASign() {
        var row = Scene.row(1, "dunes-of-the-west.jpg", "a.example")
        row.rateLimit = 1_024
        #expect(RowMarks.text(row, beside: row.name, room: 14).width == 2)
        #expect(RowMarks.text(row, beside: row.name, room: 13).width == 0)
        #expect(RowMarks.text(row, beside: "a.js", room: 6).width == 2)
    }

    @Test func theRateBesideALimitKeepsToIt() {
        let line = Self.line("dunes.jpg", width: 200) { ($0.rate, $0.rateLimit) = (13_312, 10_240) }
        #expect(line.contains("≤ 10 KiB/s ") && line.contains("  10 KiB/s"), "\(line)")
        #expect(!line.contains("13 KiB/s") && line.contains(" 0:40 "), "\(line)")
    }

    @Test func beforeTheFirstByteThereIsNoRate() {
        #expect(Self.line("dunes.jpg") { $0.received = 0 }.contains("KiB          –     – "))
        #expect(Self.line("dunes.jpg") { _ in }.contains("0 KiB/s"))
    }
}
