import SluiceCore
import SluiceTestSupport
import Testing

/// `sluice demo`: everything with no network, and nothing left behind.
@Suite(.serialized, .timeLimit(.minutes(15)))
struct DemoTests {
    @Test func theDemoShowsTheIndicatorAndCleansUp() throws {
        let dashboard = try DashboardScreen(["demo"])
        #expect(dashboard.shows("sluice demo") && dashboard.shows("q quit"), "\(dashboard.screen.text)")
        let all = ["active", "delayingEnd", "delayingStart", "notActive"]
        #expect(try dashboard.wait(within: .seconds(60)) { Set($0.indicatorStates).sorted() == all })
        #expect(dashboard.shows("ACTIVE"), "\(dashboard.screen.text)")
        #expect(try dashboard.wait { $0.named("task.finished").contains { $0["file"] != nil } })
        let files = dashboard.events.named("task.finished").compactMap { $0["file"]?.string }
        let file = try #require(files.first)
        let folder = file.split(separator: "/").dropLast().map { "/\($0)" }.joined()
        #expect(!FileTree.names(in: folder).isEmpty)
        #expect(wordsOfTheIndicator(dashboard).isSuperset(of: ["idle", "starting", "ACTIVE", "ending"]))

        #expect(try dashboard.wait { ($0.named("task.started").last?["active"]?.int ?? 0) > 1 })
        dashboard.type("q")
        #expect(dashboard.shows("q again to quit"), "\(dashboard.screen.text)")
        dashboard.type("q")
        try dashboard.expectEnd(.exited(0))
        let end = dashboard.screen.text
        #expect(end.contains("the demo's folder was removed") && !end.contains("kept, "), "\(end)")
        #expect(FileTree.names(in: folder).isEmpty && !FileTree.names(in: "/tmp").contains { folder == "/tmp/" + $0 })
        #expect(dashboard.files.isEmpty && dashboard.scratch.strays.isEmpty)
        #expect(FileTree.names(in: dashboard.scratch.home).isEmpty)
    }

    /// The words that any of the frames so far had in its header.
    private func wordsOfTheIndicator(_ dashboard: DashboardScreen) -> Set<String> {
        var screen = ScreenEmulator(width: 80, height: 24)
        var words: Set<String> = []
        for byte in dashboard.terminal.transcript {
            screen.feed([byte])
            // Each frame ends with the end of the synchronised update.
            guard byte == UInt8(ascii: "l"), !screen.modes.contains(2_026) else { continue }
            for word in ["idle", "starting", "ACTIVE", "ending"] where screen.row(0).contains(word) {
                words.insert(word)
            }
        }
        return words
    }
}
