import Glibc
import SluiceCore
import SluiceTestSupport
import Testing

/// `sluice demo`: everything with no network, and nothing left behind.
@Suite(.serialized, .timeLimit(.minutes(15)))
struct DemoTests {
    @Test func theDemoShowsAllWithinAMinuteAndCleansUp() throws {
        // A proxy of the user's is no part of it, and is not asked.
        let dashboard = try DashboardScreen(["demo"], environment: ["http_proxy": "http://127.0.0.1:9"])
        #expect(dashboard.shows("sluice demo") && dashboard.shows("q quit"), "\(dashboard.screen.text)")
        // However late a frame comes on a busy machine, its end is long enough for one.
        dashboard.type(":set completionDelay 1\r")
        let all = ["active", "delayingEnd", "delayingStart", "notActive"]
        let aMinute = Duration.seconds(ChildProcess.isThreadSanitized ? 240 : 60)
        #expect(try dashboard.wait(within: aMinute) { Set($0.indicatorStates).sorted() == all })
        #expect(dashboard.shows("ACTIVE"), "\(dashboard.screen.text)")
        #expect(try dashboard.wait { $0.named("task.finished").contains { $0["file"] != nil } })
        let files = dashboard.events.named("task.finished").compactMap { $0["file"]?.string }
        let file = try #require(files.first)
        let folder = file.split(separator: "/").dropLast().map { "/\($0)" }.joined()
        #expect(!FileTree.names(in: folder).isEmpty)
        #expect(wordsOfTheIndicator(dashboard).isSuperset(of: ["idle", "starting", "ACTIVE", "ending"]))

        #expect(try dashboard.wait { ($0.named("task.started").last?["active"]?.int ?? 0) > 1 })
        let sights: Set = [
            "joined", "queued", "cached(memory)", "cached(disk)", "cache.purged", "task.waiting", "failed", "cancelled",
            "httpcache.revalidated",
        ]
        // One of two who wait gives up, one who runs is aborted, and what is stored is asked about.
        // In which order depends on the machine.
        let isShown = try dashboard.wait(within: .seconds(240)) { events in
            let succeeded = tasks(events.named("task.finished"), "success")
            let cancelled = tasks(events.named("receipt.finished"), "cancelled")
            let aborted = tasks(events.named("task.finished"), "cancelled")
            let started = tasks(events.named("task.started"))
            return !events.named("httpcache.revalidated").isEmpty && !succeeded.isDisjoint(with: cancelled)
                && !started.isDisjoint(with: aborted) && sights.isSubset(of: firstTimes(events).keys)
        }
        let times = firstTimes(dashboard.events)
        #expect(isShown, "\(times) \(dashboard.screen.text)")
        // Whoever looks on for a minute has seen all; under ThreadSanitizer a minute is too short for as many pictures.
        let late = sights.filter { (times[$0] ?? .infinity) > 60 }
        #expect(late.isEmpty || ChildProcess.isThreadSanitized, "\(late) of \(times)")
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

    /// When each of the things that happen was seen first, in seconds of the demo's own clock.
    private func firstTimes(_ events: [JSONValue]) -> [String: Double] {
        var times: [String: Double] = [:]
        for event in events {
            var sight = event["outcome"]?.string ?? event["event"]?.string ?? ""
            if sight == "cached" { sight += "(\(event["source"]?.string ?? ""))" }
            times[sight] = times[sight] ?? event.t
        }
        return times
    }

    private func tasks(_ events: [JSONValue], _ outcome: String? = nil) -> Set<Int> {
        Set(events.filter { outcome == nil || $0["outcome"]?.string == outcome }.compactMap { $0["task"]?.int })
    }

    /// A demo that was killed could not tidy up; another one that runs, or has just begun, has its folder still.
    @Test func whatAKilledDemoLeftGoesWithTheNext() throws {
        let (left, locked, young) = (try Folder(age: 120), try Folder(age: 120), try Folder(age: 0))
        let descriptor = unsafe open(locked.path, O_RDONLY | O_DIRECTORY)
        #expect(flock(descriptor, LOCK_EX | LOCK_NB) == 0)
        defer { close(descriptor) }

        let demo = try ChildProcess(
            Program.path,
            arguments: ["demo", "--plain"],
            environment: Program.environment(home: Scratch().home)
        )
        demo.write("quit\nquit\n")
        #expect(demo.finish().exit == .exited(0))

        #expect(!left.isThere && locked.isThere && young.isThere)
    }

    /// A folder as a demo makes it, with a file in a folder in it.
    private final class Folder {
        let path: String
        var isThere: Bool { unsafe access(path, F_OK) == 0 }

        init(age: Int) throws {
            var template = Array("/tmp/sluice-demo.XXXXXX".utf8CString)
            try #require(unsafe mkdtemp(&template) != nil)
            path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
            unsafe mkdir(path + "/.cache", 0o700)
            close(unsafe open(path + "/.cache/body", O_CREAT | O_WRONLY, 0o600))
            let time = timespec(tv_sec: Glibc.time(nil) - age, tv_nsec: 0)
            unsafe utimensat(AT_FDCWD, path, [time, time], 0)
        }

        deinit {
            unsafe unlink(path + "/.cache/body")
            unsafe rmdir(path + "/.cache")
            unsafe rmdir(path)
        }
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
