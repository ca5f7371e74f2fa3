internal import ArgumentParser
internal import SluiceCore
internal import SluiceOrigin
internal import SluiceTestSupport

/// The dashboard with 100,000 URLs submitted at once, of which 4 run and the rest queue.
struct QueueBenchmark: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "queue",
        abstract: "Memory, keys and cancelling while 100,000 URLs of 80 bytes queue."
    )

    /// Bounds: MiB over the same with 4 URLs, seconds at the 99th percentile, seconds.
    private static let bounds = (memory: 60, key: 0.033, cancel: 1.0)
    private static let urlLength = 80
    private static let slots = 4

    @Option(help: "URLs in the list.")
    var urls = 100_000

    @Option(help: "Runs for memory and cancelling.")
    var rounds = 5

    @Option(help: "Keys pressed while URLs are submitted, and again afterwards.")
    var keys = 300

    func validate() throws {
        for (option, value) in [("urls", urls), ("rounds", rounds), ("keys", keys)] { try check(option, value) }
    }

    func run() throws {
        printMachine()
        let origin = try Origin()
        origin.setFallback { _, _ in .text("held") }
        origin.hold()
        let folder = try ScratchFolder()
        try writeList("few", count: Self.slots, origin, folder)
        try writeList("many", count: urls, origin, folder)
        try measureMemoryAndCancelling(folder)
        try measureSubmitting(folder)
        try measureKeys(folder)
        origin.close()
    }

    // MARK: Memory and cancelling

    private func measureMemoryAndCancelling(_ folder: ScratchFolder) throws {
        var (base, full, basePeak, fullPeak): ([Double], [Double], [Double], [Double]) = ([], [], [], [])
        var cancelling: [Double] = []
        for _ in 0..<rounds {
            let few = try open("few", folder)
            try few.wait(for: "four active tasks") { $0.text.contains("4 of 4 slots") }
            try settle(few)
            base.append(Double(few.figures.resident) / 1024)
            basePeak.append(Double(few.figures.peakResident) / 1024)

            let many = try open("many", folder)
            try waitUntilSubmitted(many, aborted: 0)
            try settle(many)
            full.append(Double(many.figures.resident) / 1024)
            fullPeak.append(Double(many.figures.peakResident) / 1024)
            cancelling.append(try cancelAll(many))
        }
        let (added, addedPeak) = (
            Spread(full).median - Spread(base).median, Spread(fullPeak).median - Spread(basePeak).median
        )
        print("\nmemory, \(urls) URLs of \(Self.urlLength) bytes over \(Self.slots), \(rounds) rounds, medians, in MiB")
        print("  resident \(fixed(Spread(base).median, 1)) -> \(fixed(Spread(full).median, 1)),", terminator: " ")
        print("peak \(fixed(Spread(basePeak).median, 1)) -> \(fixed(Spread(fullPeak).median, 1))")
        print("  the queue adds \(fixed(added, 1)), at its peak \(fixed(addedPeak, 1));", terminator: " ")
        print("bound \(Self.bounds.memory): \(verdict(addedPeak < Double(Self.bounds.memory)))")
        let cancel = Spread(cancelling)
        print("\ncancel all, from the key to an empty queue on the screen")
        print(
            "  median \(fixed(cancel.median)) s (\(fixed(cancel.least)) to \(fixed(cancel.greatest)));",
            terminator: " "
        )
        print("bound \(fixed(Self.bounds.cancel, 1)) s: \(verdict(cancel.greatest < Self.bounds.cancel))")
    }

    /// - Returns: Seconds from the answer to the question until the queue is empty on the screen.
    private func cancelAll(_ dashboard: BenchedDashboard) throws -> Double {
        try dashboard.press("\u{18}", toSee: "a question") { $0.text.contains("?") }
        return try dashboard.press("y", toSee: "an empty queue") { QueueScreen($0).count == 0 }
    }

    // MARK: Submitting

    /// By the stream of events, whose writing is part of it.
    private func measureSubmitting(_ folder: ScratchFolder) throws {
        let dashboard = try open("many", folder, "--events", folder.path + "/events")
        try waitUntilSubmitted(dashboard, aborted: 0)
        _ = try cancelAll(dashboard)
        dashboard.terminal.type("q")
        guard dashboard.terminal.waitForExit() == .exited(0) else {
            throw BenchmarkFailure(message: "the dashboard did not end:\n\(dashboard.terminal.screen.text)")
        }
        let lines = try folder.read("events").split(separator: UInt8(ascii: "\n"))
        let times = try lines.filter { $0.count < 2_000 && $0.contains(name: "request.submitted") }.map { line in
            try JSONValue(parsing: String(decoding: line, as: UTF8.self))["t"]?.double ?? 0
        }
        guard let first = times.first, let last = times.last, times.count == urls else {
            throw BenchmarkFailure(message: "\(times.count) of \(urls) URLs were submitted")
        }
        print("\nsubmitting them, by --events: \(fixed(last - first)) s, the last at t \(fixed(last)) s")
    }

    // MARK: Keys

    private func measureKeys(_ folder: ScratchFolder) throws {
        var during = KeyTimes()
        // A run is over in some seconds; bounded, should none ever be slow enough for a key.
        for _ in 0..<100 where during.count < keys {
            let dashboard = try openQueue("many", folder)
            _ = try press(dashboard, into: &during, atMost: keys) { isSubmitted($0, aborted: $1) }
        }
        let dashboard = try openQueue("many", folder)
        try waitUntilSubmitted(dashboard, aborted: 0)
        try settle(dashboard)
        var after = KeyTimes()
        try press(dashboard, into: &after, atMost: keys) { _, _ in false }
        print("\nkeys, from writing one to its effect on the screen, in ms")
        try report("while submitting", during)
        try report("afterwards", after)
    }

    private func report(_ name: String, _ times: KeyTimes) throws {
        for (key, values) in times.all {
            let spread = Spread(values.map { $0 * 1000 })
            let figures =
                "\(values.count) x, median \(fixed(spread.median, 1)), 99 % \(fixed(spread.percentile(99), 1))"
            print("  \(name.padded(17)) \(key.padded(4)) \(figures), most \(fixed(spread.greatest, 1))")
        }
        let tail = Spread(times.all.flatMap(\.values)).percentile(99)
        let bound = Self.bounds.key
        print(
            "  \(name.padded(17)) 99 % of all \(fixed(tail * 1000, 1)), bound \(fixed(bound * 1000, 0)):",
            terminator: " "
        )
        guard times.count >= keys else {
            print("void")
            throw BenchmarkFailure(message: "void: only \(times.count) of \(keys) keys \(name)")
        }
        print(verdict(tail <= bound))
    }

    /// Presses j, x and G in turn until `isOver`, and gg in between, which does not count.
    private func press(
        _ dashboard: BenchedDashboard,
        into times: inout KeyTimes,
        atMost limit: Int,
        isOver: (ScreenEmulator, Int) -> Bool
    ) throws {
        var aborted = 0
        while times.count < limit, !isOver(dashboard.terminal.screen, aborted) {
            let key = ["j", "x", "G"][times.count % 3]
            let old = QueueScreen(dashboard.terminal.screen)
            let position = old.position ?? 0
            let time = try dashboard.press(key, toSee: "the effect of \(key) at \(position)") { screen in
                let new = QueueScreen(screen)
                guard let name = new.name, let place = new.position else { return false }
                switch key {
                case "j": return place == position + 1
                case "x": return name != old.name
                default: return place >= (old.count ?? 0)
                }
            }
            times.add(time, of: key)
            if key == "x" { aborted += 1 }
            if key == "G" { try dashboard.press("gg", toSee: "the first row") { isFirstSelected($0) } }
        }
    }

    private func isFirstSelected(_ screen: ScreenEmulator) -> Bool {
        let queue = QueueScreen(screen)
        return queue.position == 1 && queue.name != nil
    }

    // MARK: The dashboard

    private func open(_ list: String, _ folder: ScratchFolder, _ more: String...) throws -> BenchedDashboard {
        // None goes on with what the one before it left.
        let options = ["--fresh", "-i", "\(folder.path)/\(list)", "--dir", folder.makeFolder("out")]
        return try BenchedDashboard(options + more, home: folder)
    }

    /// With the focus on the queue, as soon as it has a row.
    private func openQueue(_ list: String, _ folder: ScratchFolder) throws -> BenchedDashboard {
        let dashboard = try open(list, folder)
        try dashboard.wait(for: "a queue") { QueueScreen($0).count ?? 0 > 0 }
        try dashboard.press("2", toSee: "the first row") { isFirstSelected($0) }
        return dashboard
    }

    private func isSubmitted(_ screen: ScreenEmulator, aborted: Int) -> Bool {
        QueueScreen(screen).count == urls - Self.slots - aborted
    }

    private func waitUntilSubmitted(_ dashboard: BenchedDashboard, aborted: Int) throws {
        try dashboard.wait(for: "all in the queue", within: .seconds(60)) { isSubmitted($0, aborted: aborted) }
    }

    /// Until nothing is drawn, so that what was only needed on the way is gone.
    private func settle(_ dashboard: BenchedDashboard) throws {
        try dashboard.waitUntilQuiet(for: .milliseconds(600), attempts: 40)
    }

    private func writeList(_ name: String, count: Int, _ origin: Origin, _ folder: ScratchFolder) throws {
        var text: [UInt8] = []
        for number in 0..<count {
            let digits = String(1_000_000 + number)
            let padding = String(repeating: "p", count: Self.urlLength - origin.baseURL.utf8.count - digits.count - 2)
            text += "\(origin.baseURL)/\(padding)/\(digits)\n".utf8
        }
        try folder.write(name, text)
    }
}

/// How long each key took.
private struct KeyTimes {
    private(set) var all: [(key: String, values: [Double])] = [("j", []), ("x", []), ("G", [])]
    var count: Int { all.reduce(0) { $0 + $1.values.count } }

    mutating func add(_ time: Double, of key: String) {
        for index in all.indices where all[index].key == key { all[index].values.append(time) }
    }
}

extension ArraySlice<UInt8> {
    /// Whether a line of the event stream has this name.
    fileprivate func contains(name: String) -> Bool {
        // The name is the fourth field, behind some dozens of bytes.
        String(decoding: prefix(200), as: UTF8.self).contains("\"event\":\"\(name)\"")
    }
}
