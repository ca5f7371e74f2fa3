import SluiceCore
import Testing

@testable import SluiceStore

/// How the queues of several sessions become one.
struct RestoredOrderTests {
    /// A row of a band, named by its URL.
    private func row(_ name: String, _ band: TaskQueue.Band = .normal) -> RestoredRequest {
        RestoredRequest(
            row: RestoredRequest.Row(session: 1, task: 1, receipt: 1),
            request: DownloadRequest(name),
            band: band.rawValue,
            isPaused: false,
            priority: nil
        )
    }

    private func names(_ order: RestoredOrder) -> [String] { order.requests.map(\.request.url) }

    @Test func sessionsSideBySideFollowByAgeWithinABand() {
        var order = RestoredOrder()
        order.add([(row("a", .high), false), (row("b"), false)])
        order.add([(row("c", .promoted), false), (row("d", .high), false), (row("e"), false)])
        #expect(names(order) == ["c", "a", "d", "b", "e"])
    }

    @Test func theRestOfASessionStandsBehindWhatWasTakenOverOfIt() {
        var order = RestoredOrder()
        order.add([(row("h", .high), false), (row("c"), false), (row("d"), false)])
        // New ones in front of the others, and behind them.
        order.add([
            (row("new"), false), (row("a"), true), (row("b"), true), (row("newer"), false), (row("low", .low), true),
        ])
        #expect(names(order) == ["h", "new", "a", "b", "c", "d", "newer", "low"])
    }
}
