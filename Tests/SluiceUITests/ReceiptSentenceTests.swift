import SluiceCore
import Testing

@testable import SluiceUI

/// What is said of a receipt that was cancelled, with its task or alone.
struct ReceiptSentenceTests {
    /// In one batch, each of the first task of the full scene, which has 41, 42 and 43.
    private static func cancelled(_ receipts: [Int]) -> AppEvent {
        let events = receipts.map { receipt in
            var end = ReceiptEnd(
                receipt: ReceiptID(receipt),
                task: TaskID(1),
                url: "https://img.nasa.example/x.jpg",
                outcome: .cancelled
            )
            end.error = DownloadError(.cancelled, "")
            return PipelineEvent(seq: 1_000 - receipt, t: .seconds(61), kind: .receiptFinished(end))
        }
        return .events(events, lost: 0)
    }

    @Test func onlyWhileItsTaskGoesOnForOthersAReceiptEndsAlone() {
        var driver = Driver(.full, 120, 36)
        #expect(driver.press("XXX") == ["cancel 43", "cancel 42", "cancel 41"])
        let said = [43, 42, 41].map { receipt in
            _ = driver.send(Self.cancelled([receipt]))
            let state = driver.dashboard.state
            return state.sentence(state.news.log[age: 0]).detail
        }
        #expect(said == ["receipt 43 only", "receipt 42 only", "receipt 41"])
        _ = driver.press("4")
        #expect(driver.text.contains("receipt 43 only") && !driver.text.contains("receipt 41 only"), "\(driver.text)")
    }

    /// The other receipts may be gone as well, with news that did not come.
    @Test func afterNewsWereLostNothingIsSaidOfOthers() {
        var driver = Driver(.full, 120, 36)
        #expect(driver.press("X") == ["cancel 43"])
        _ = driver.send(.events([], lost: 5))
        _ = driver.send(Self.cancelled([43]))
        let state = driver.dashboard.state
        #expect(state.sentence(state.news.log[age: 0]).detail == "receipt 43")
    }

    @Test func asLinesTheReceiptsOfAnAbortedTaskEndTogether() {
        var dashboard = PlainDashboard(Scene.configuration())
        _ = dashboard.handle(.events(Scene.full.events, lost: 0), now: Scene.now)
        func said(_ receipts: [Int]) -> [String] {
            dashboard.handle(Self.cancelled(receipts), now: Scene.now).lines
        }
        #expect(said([43]) == ["12:41:05 cancelled x.jpg: receipt 43 only."])
        #expect(
            said([42, 41]) == ["12:41:05 cancelled x.jpg: receipt 42.", "12:41:05 cancelled x.jpg: receipt 41."]
        )
    }
}
