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
}
