import SluiceCore
import Testing

@testable import SluiceUI

/// Times of an hour and more, and numbers of many digits, in the cells that there are for them.
struct LongTimeTests {
    @Test(arguments: [
        (0, "0:00"), (41, "0:41"), (3_599, "59:59"), (3_600, "1h00"), (9_999, "2h46"), (204_060, "56h41"),
        (359_999, "99h59"), (360_000, "4d4h"), (388_800, "4d12h"), (863_999, "9d23h"), (1_036_800, "12d"),
        (86_400_000, "1000d"),
    ])
    func aShortTimeHasFiveCells(seconds: Int, text: String) {
        #expect(Format.shortTime(.seconds(seconds)) == text)
        #expect(text.count <= 5)
    }

    @Test(arguments: [(10_000, "2h46"), (204_060, "56h41")])
    func whatIsLeftOfALongTaskLeavesTheRateAlone(seconds: Int, text: String) {
        var scene = Scene.full
        (scene.snapshot.active[0].received, scene.snapshot.active[0].rate) = (0, 1_000_000)
        scene.snapshot.active[0].expected = seconds * 1_000_000
        var driver = Driver(scene, 200, 50)
        let gap = String(repeating: " ", count: 6 - text.count)
        #expect(driver.text.contains("977 KiB/s\(gap)\(text)"), "\(driver.text)")
    }

    @Test(arguments: [(7_300, "2h01"), (204_060, "56h41")])
    func aLongWaitLeavesTheReceiptsAlone(seconds: Int, text: String) {
        var scene = Scene.full
        scene.snapshot.queued[0].receipts = 12
        scene.snapshot.queued[0].submitted = Scene.now + .seconds(-seconds)
        var driver = Driver(scene, 80, 24)
        let gap = String(repeating: " ", count: 7 - text.count)
        #expect(driver.text.contains("×12\(gap)\(text)"), "\(driver.text)")
    }

    @Test(arguments: [(64, "1:04 min"), (3_599, "59:59 min"), (5_401, "1:30:01 h"), (400_000, "111 h")])
    func aLongSpanIsToldInHours(seconds: Int, text: String) {
        #expect(TaskDetail.text(.seconds(seconds)) == text)
    }

    @Test func numbersOfReceiptsAreWhole() {
        var scene = TaskDetailTests.inspected
        scene.events.removeAll { if case .requestSubmitted = $0.kind { true } else { false } }
        let claims = (0..<2).map { index in
            TaskFacts.Claim(
                receipt: ReceiptID(123_456 + index),
                source: .prompt,
                submitted: Scene.start + .seconds(30),
                options: RequestOptions()
            )
        }
        scene.snapshot.inspected?.claims = claims
        let text = TaskDetailTests.text(scene, 120, 36)
        #expect(text.contains(" 123457  prompt"), "\(text)")
    }
}
