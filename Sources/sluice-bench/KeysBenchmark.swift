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

    /// Seconds.
    private static let bounds = (median: 0.005, tail: 0.016, first: 0.050)
    private static let focusColor = 114

    @Option(help: "URLs in the list.")
    var urls = 100_000

    @Option(help: "Keys.")
    var keys = 400

    @Option(help: "Starts.")
    var starts = 20

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
        let list = (0..<urls).map { "\(origin.baseURL)/\(1_000_000 + $0).jpg\n" }.joined()
        try folder.write("list", Array(list.utf8))
        let dashboard = try BenchedDashboard(
            ["-i", folder.path + "/list", "--no-save", "--decode", "always"],
            home: folder
        )
        try dashboard.wait(for: "a long queue", within: .seconds(60)) { $0.text.contains("4 of 4 slots") }
        let figures = dashboard.figures
        let (started, cpu) = (now(), figures.cpu)
        var times: [Double] = []
        for number in 0..<keys {
            let isCache = number % 2 == 0
            let time = try dashboard.press(isCache ? "3" : "1", toSee: "the other frame") { screen in
                let corner = screen.cell(x: isCache ? 76 : 0, y: 1)
                return corner.text == "╭" && corner.look.foreground == Self.focusColor
            }
            times.append(time)
            // Keys come at no fixed beat with the frames.
            _ = dashboard.terminal.bytes(for: .milliseconds(5 + number * 7 % 31))
        }
        let load = (figures.cpu - cpu) / (now() - started) * 100
        let spread = Spread(times)
        print("\nkey to screen, \(urls) URLs submitted, 4 downloads and their decodes running, in ms")
        print("  \(keys) keys, program at \(fixed(load, 0)) % of a core")
        print("  median \(ms(spread.median)), bound \(ms(Self.bounds.median)):", terminator: " ")
        print(verdict(spread.median <= Self.bounds.median))
        print("  99 % \(ms(spread.percentile(99))), bound \(ms(Self.bounds.tail)):", terminator: " ")
        print(verdict(spread.percentile(99) <= Self.bounds.tail))
        origin.close()
    }

    private func ms(_ seconds: Double) -> String { fixed(seconds * 1_000, 1) }
}
