import SluiceCore
import Testing

@testable import SluicePipeline

/// What can be tried again, and how much of it.
struct RecentRequestsTests {
    private func add(_ number: Int, body: Int, to recent: inout RecentRequests) {
        let options = RequestOptions(body: [UInt8](repeating: 0, count: body))
        let url = "http://test/\(number)"
        let key = MergeKey(url: url)
        let ended = RecentRequests.Ended(key: key, requests: [DownloadRequest(url, options: options)], credentials: nil)
        recent.add(ended, task: TaskID(number))
    }

    @Test func bodiesToSendTakeNoMoreThanTheirLimit() {
        var recent = RecentRequests()
        for number in 1...20 { add(number, body: 1_048_576, to: &recent) }
        #expect((1...20).filter { recent.take(TaskID($0)) != nil } == Array(5...20))
    }

    @Test func theNewestIsRememberedHoweverLargeItIs() {
        var recent = RecentRequests()
        for number in 1...3 { add(number, body: RecentRequests.byteLimit + 1, to: &recent) }
        #expect((1...3).filter { recent.take(TaskID($0)) != nil } == [3])
    }
}
