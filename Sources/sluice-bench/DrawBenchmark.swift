internal import ArgumentParser
internal import SluiceCore
internal import SluiceOrigin
internal import SluicePictures
internal import SluiceTestSupport

/// What the dashboard writes and computes while four downloads run as fast as they can, their
/// bars move, and the preview shows a picture.
struct DrawBenchmark: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "draw",
        abstract: "Bytes and CPU of drawing 120 x 36 cells over 4 running downloads, with a preview."
    )

    /// Bytes a second, and % of a core.
    private static let bounds = (bytes: 6_144.0, drawing: 1.0)

    @Option(help: "Seconds of each round.")
    var seconds = 5

    @Option(help: "Rounds.")
    var rounds = 5

    func validate() throws {
        try check("seconds", seconds)
        try check("rounds", rounds)
    }

    func run() throws {
        printMachine()
        let origin = try Origin()
        // Some seconds each, so that bars move.
        origin.setFallback { _, _ in OriginResponse(body: .pattern(count: 1 << 33)) }
        let picture = ImageEncoder.jpeg(OriginImages.draw(.dunes, width: 1_200, height: 800))
        origin.route("/dunes.jpg") { _, _ in
            OriginResponse(headers: [HeaderField("Content-Type", "image/jpeg")], body: .bytes(picture))
        }
        let folder = try ScratchFolder()
        let urls = (1...200).map { origin.url("/file-\($0).bin") }
        let options = [origin.url("/dunes.jpg"), "--no-save", "--no-http-cache", "--decode", "always"]
        let dashboard = try BenchedDashboard(options + urls, home: folder)
        try dashboard.wait(for: "four active tasks") { $0.text.contains("4 of 4 slots") }
        try dashboard.press("5", toSee: "the picture") { $0.text.contains("jpeg 1200×800") && $0.text.contains("▀") }
        _ = dashboard.terminal.bytes(for: .seconds(2))
        var (bytes, drawing, all): ([Double], [Double], [Double]) = ([], [], [])
        for _ in 0..<rounds {
            let (started, figures) = (now(), dashboard.figures)
            let (thread, process) = (figures.firstThreadCPU, figures.cpu)
            let count = dashboard.terminal.bytes(for: .seconds(seconds)).count
            let time = now() - started
            bytes.append(Double(count) / time)
            drawing.append((figures.firstThreadCPU - thread) / time * 100)
            all.append((figures.cpu - process) / time * 100)
        }
        guard dashboard.terminal.screen.text.contains("4 of 4 slots"), dashboard.terminal.screen.text.contains("▀")
        else {
            throw BenchmarkFailure(message: "not what was to be watched:\n\(dashboard.terminal.screen.text)")
        }
        // The screen of a program that has ended stays.
        try dashboard.press("?", toSee: "help") { $0.text.contains("keys of ") }
        guard (drawing + all).allSatisfy({ $0 > 0 }) else {
            throw BenchmarkFailure(message: "a thread ended while the dashboard was watched")
        }
        print(
            "\nwatching 4 downloads at full rate and a picture, \(rounds) rounds of \(seconds) s, medians (least to greatest)"
        )
        show("terminal, bytes/s", bytes, digits: 0)
        print("  bound \(Self.bounds.bytes): \(verdict(Spread(bytes).median <= Self.bounds.bytes))")
        show("drawing, % of a core", drawing, digits: 2)
        print("  bound \(Self.bounds.drawing): \(verdict(Spread(drawing).median <= Self.bounds.drawing))")
        show("program, % of a core", all, digits: 1)
        origin.close()
    }

    private func show(_ name: String, _ values: [Double], digits: Int) {
        let spread = Spread(values)
        let range = "\(fixed(spread.least, digits)) to \(fixed(spread.greatest, digits))"
        print("  \(name.padded(21)) \(fixed(spread.median, digits)) (\(range))")
    }
}
