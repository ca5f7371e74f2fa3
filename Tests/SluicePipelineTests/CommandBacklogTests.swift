import SluiceCore
import Testing

@testable import SluicePipeline

struct CommandBacklogTests {
    @Test(arguments: [0, 1, 16_384, 16_385, 40_000])
    func aListKeepsItsOrderAndWhatCameBehindIt(length: Int) {
        var backlog = CommandBacklog()
        backlog.append((0..<length).map { DownloadRequest("http://127.0.0.1/\($0)") })
        backlog.append(.command(.clearCache))
        #expect(backlog.requestCount == length)

        var served: [String] = []
        var commands = 0
        while let step = backlog.next() {
            switch step {
            case .submit(let request, nil) where commands == 0: served.append(request.url)
            case .command: commands += 1
            default: Issue.record("\(step) was never given")
            }
            #expect(backlog.requestCount == length - served.count)
        }
        #expect(served == (0..<length).map { "http://127.0.0.1/\($0)" })
        #expect(commands == 1)
        #expect(backlog.isEmpty)
    }

    @Test(arguments: [1, 16_384, 40_000])
    func aListThatIsPutFirstStandsBeforeAllThatWaits(length: Int) {
        var backlog = CommandBacklog()
        backlog.append([DownloadRequest("http://127.0.0.1/later")])
        backlog.append(.command(.clearCache))
        backlog.insertFirst((0..<length).map { DownloadRequest("http://127.0.0.1/\($0)") })
        #expect(backlog.requestCount == length + 1)

        var served: [String] = []
        while case .submit(let request, nil)? = backlog.next() { served.append(request.url) }
        #expect(served == (0..<length).map { "http://127.0.0.1/\($0)" } + ["http://127.0.0.1/later"])
    }

    @Test(arguments: [0, 1, 16_384, 40_000])
    func whoWaitsForAListThatIsPutFirstIsAnsweredRightBehindIt(length: Int) {
        var backlog = CommandBacklog()
        backlog.append(.command(.clearCache))
        let requests = (0..<length).map { DownloadRequest("http://127.0.0.1/\($0)", source: .prefetch(BatchID(7))) }
        backlog.insertFirst(requests, then: .answer(.batch(BatchID(7)), { _ in }))
        #expect(backlog.hasCalls && !backlog.isDispensable && backlog.requestCount == 0)

        var served = 0
        var step = backlog.next()
        while case .submit(let request, nil)? = step {
            #expect(request.url == requests[served].url)
            served += 1
            step = backlog.next()
        }
        guard case .answer(.batch(BatchID(7)), _)? = step, case .command? = backlog.next() else {
            Issue.record("\(String(describing: step)) came behind the list")
            return
        }
        #expect(served == length && backlog.isEmpty && !backlog.hasCalls)
    }

    @Test func whoWaitsForAListIsToldOfTheEndBeforeIt() {
        var backlog = CommandBacklog()
        let request = DownloadRequest("http://127.0.0.1/a", source: .prefetch(BatchID(1)))
        backlog.insertFirst([request], then: .answer(.batch(BatchID(1)), { _ in }))
        #expect(backlog.removeAll().replies.count == 1 && backlog.isEmpty)
    }

    @Test func whatIsTakenBackIsMissedByNobody() {
        var backlog = CommandBacklog()
        let request = DownloadRequest("http://127.0.0.1/a")
        let handles = (0..<2).map { _ in RequestHandle(request, owner: ObjectIdentifier(RequestHandle.self)) { _ in } }
        for handle in handles { backlog.append(.tracked(request, handle)) }
        #expect(backlog.requestCount == 2)
        backlog.withdraw(handles[0])
        handles[0].finish(.cancelled)
        #expect(backlog.requestCount == 1 && !backlog.isDispensable)
        _ = backlog.next()
        #expect(backlog.requestCount == 1)
        backlog.withdraw(handles[1])
        handles[1].finish(.cancelled)
        #expect(backlog.requestCount == 0 && backlog.isDispensable && !backlog.isEmpty)
        _ = backlog.next()
        #expect(backlog.requestCount == 0 && backlog.isEmpty)
    }

    /// Nobody waits at the end for what is only loaded ahead, however long that list is.
    @Test func prefetchesAreDispensableAndOtherRequestsAreNot() {
        var backlog = CommandBacklog()
        #expect(backlog.isDispensable)
        let batch = DownloadRequest.Source.prefetch(BatchID(1))
        backlog.insertFirst((0..<20_000).map { DownloadRequest("http://127.0.0.1/\($0)", source: batch) })
        #expect(backlog.isDispensable)
        _ = backlog.next()
        #expect(backlog.isDispensable)
        var withQuery = backlog
        withQuery.append(.command(.clearCache))
        #expect(!withQuery.isDispensable)
        backlog.append([DownloadRequest("http://127.0.0.1/kept")])
        #expect(!backlog.isDispensable)
    }
}
