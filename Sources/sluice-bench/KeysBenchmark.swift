internal import ArgumentParser
internal import SluiceCore
internal import SluiceOrigin
internal import SluicePictures
internal import SluiceTestSupport

/// How long a key takes to change the screen while the queue is long and every core decodes, and how long a first frame.
struct KeysBenchmark: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "keys",
        abstract: "Key to screen with 100,000 queued and decodes running, and start to first frame, at 120 x 36."
    )

    /// URLs in the list beyond those that must still queue at the end.
    private static let surplus = 10_000
    /// Seconds.
    private static let bounds = (median: 0.005, tail: 0.016, first: 0.050)
    private static let focusColor = 114

    @Option(help: "URLs that queue at least, while keys are pressed.")
    var urls = 100_000

    @Option(help: "Keys.")
    var keys = 400

    @Option(help: "Starts.")
    var starts = 20

    /// Of a core, below which hardly anything was decoded while keys were pressed.
    private static let leastLoad = 0.5

    func validate() throws {
        for (option, value) in [("urls", urls), ("starts", starts)] { try check(option, value) }
        try check("keys", keys, atLeast: 2)
    }

    func run() throws {
        printMachine()
        try measureFirstFrame()
        try measureKeys()
    }

    private func measureFirstFrame() throws {
        let folder = try ScratchFolder()
        var times: [Double] = []
        for _ in 0..<starts + 2 {
            let started = now()
            let dashboard = try BenchedDashboard(["--dir", folder.makeFolder("out")], home: folder)
            try dashboard.wait(for: "a first frame") { $0.cell(x: 0, y: 1).text == "╭" }
            times.append(now() - started)
        }
        // The first ones read the program from the disk.
        let spread = Spread(Array(times.dropFirst(2)))
        print("\nfirst frame after the start, \(starts) starts, in ms")
        print("  median \(ms(spread.median)), most \(ms(spread.greatest)),", terminator: " ")
        print("bound \(ms(Self.bounds.first)): \(verdict(spread.median <= Self.bounds.first))")
    }

    private func measureKeys() throws {
        let origin = try Origin()
        let picture = ImageEncoder.jpeg(OriginImages.draw(.dunes, width: 2_400, height: 1_600))
        origin.setFallback { _, _ in
            OriginResponse(headers: [HeaderField("Content-Type", "image/jpeg")], body: .bytes(picture))
        }
        let folder = try ScratchFolder()
        let list = (0..<urls + Self.surplus).map { "\(origin.baseURL)/\(1_000_000 + $0).jpg\n" }.joined()
        try folder.write("list", Array(list.utf8))
        let dashboard = try BenchedDashboard(
            ["-i", folder.path + "/list", "--no-save", "--no-http-cache", "--decode", "always"],
            home: folder
        )
        try dashboard.wait(for: "a long queue", within: .seconds(60)) { QueueScreen($0).count ?? 0 >= urls }
        let figures = dashboard.figures
        let (started, cpu) = (now(), figures.cpu)
        var times: [Double] = []
        for number in 0..<keys / 2 {
            let isCache = number % 2 == 0
            let time = try dashboard.press(isCache ? "3" : "2", toSee: "the other frame") { screen in
                isFocused(screen, isCache: isCache)
            }
            times.append(time)
            pause(dashboard, number)
        }
        // At the queue's end, where rows change by keys alone.
        try dashboard.press("G", toSee: "the last row") { QueueScreen($0).position ?? 0 >= urls }
        for number in 0..<keys / 2 {
            let old = QueueScreen(dashboard.terminal.screen).name
            let time = try dashboard.press(number % 2 == 0 ? "k" : "j", toSee: "another row than \(old ?? "none")") {
                screen in
                let new = QueueScreen(screen).name
                return new != nil && new != old
            }
            times.append(time)
            pause(dashboard, number)
        }
        let load = (figures.cpu - cpu) / (now() - started) * 100
        guard let left = QueueScreen(dashboard.terminal.screen).count, left >= urls else {
            throw BenchmarkFailure(message: "the queue was too short:\n\(dashboard.terminal.screen.text)")
        }
        guard load >= Self.leastLoad * 100 else {
            throw BenchmarkFailure(message: "void: the program was at \(fixed(load, 0)) % of a core, so hardly decoded")
        }
        let spread = Spread(times)
        print("\nkey to screen over \(left) queued or more, 4 pictures downloaded and decoded at a time, in ms")
        print(
            "  \(times.count) keys, half to another panel and half within the queue; program at \(fixed(load, 0)) % of a core"
        )
        print("  median \(ms(spread.median)), bound \(ms(Self.bounds.median)):", terminator: " ")
        print(verdict(spread.median <= Self.bounds.median))
        print("  99 % \(ms(spread.percentile(99))), bound \(ms(Self.bounds.tail)):", terminator: " ")
        print(verdict(spread.percentile(99) <= Self.bounds.tail))
        origin.close()
    }

    /// Whether the frame of the panel that has the focus is painted so.
    private func isFocused(_ screen: ScreenEmulator, isCache: Bool) -> Bool {
        let column = isCache ? 76 : 0
        return (1..<screen.height).contains { row in
            let corner = screen.cell(x: column, y: row)
            return corner.text == "╭" && corner.look.foreground == Self.focusColor
        }
    }

    /// Keys come at no fixed beat with the frames.
    private func pause(_ dashboard: BenchedDashboard, _ number: Int) {
        _ = dashboard.terminal.bytes(for: .milliseconds(5 + number * 7 % 31))
    }

    private func ms(_ seconds: Double) -> String { fixed(seconds * 1_000, 1) }
}
