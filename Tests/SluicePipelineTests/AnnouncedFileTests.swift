import Glibc
import SluiceCore
import SluiceOrigin
import SluicePipeline
import SluiceTestSupport
import Testing

/// Whether the history hears of a file before it gets its name, so that nothing is lost if the process dies then.
@Suite(.timeLimit(.minutes(5)))
struct AnnouncedFileTests {
    private let origin: Origin

    init() throws { origin = try Origin() }

    @Test func aFileThatComesAloneIsRecordedBeforeItGetsItsName() throws {
        origin.route("/a.txt", .text("a"))
        let keeper = Keeper()
        let harness = try PipelineHarness(saves: true) { $0.state = keeper }
        harness.submit(origin.url("/a.txt"))
        let events = try harness.finish()
        #expect(events.taskEnds.map(\.file) == [harness.directory.path + "/a.txt"])
        #expect(keeper.wholes == [.init(name: "a.txt", hasName: false)])
    }

    /// However fast others come.
    @Test func aLargeFileIsRecordedAmongSmallOnes() throws {
        origin.route("/large.bin") { _, _ in OriginResponse(body: .pattern(count: 16_000_000)) }
        origin.setFallback { _, _ in .text("a") }
        let keeper = Keeper()
        let harness = try PipelineHarness(saves: true) { $0.state = keeper }
        harness.submit(origin.url("/large.bin"))
        for number in 0..<200 { harness.submit(origin.url("/\(number).txt")) }
        let events = try harness.finish()
        #expect(events.taskEnds.count == 201)
        let large = keeper.wholes.filter { $0.name == "large.bin" }
        #expect(large == [.init(name: "large.bin", hasName: false)])
    }
}

/// Notes which parts were said to be whole, and which of them had the names of their files by then.
private final class Keeper: StateKeeping {
    struct Whole: Equatable {
        let name: String
        let hasName: Bool
    }

    private let noted = Locked<[Whole]>([])

    var wholes: [Whole] { noted.withLock { $0 } }

    func save(_ changes: [StateChange], saved: @escaping @Sendable (StateProblem?) -> Void) {
        for case .part(let record) in changes where record.isWhole {
            let (name, folder) = (record.location.name, record.location.directory)
            let hasName = unsafe access("\(folder)/\(name)", F_OK) == 0
            noted.withLock { $0.append(Whole(name: name, hasName: hasName)) }
        }
        saved(nil)
    }
}
