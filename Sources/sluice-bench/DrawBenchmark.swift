internal import ArgumentParser
internal import SluiceCore
internal import SluiceOrigin
internal import SluiceTestSupport

/// What the dashboard writes and computes while four downloads run as fast as they can.
struct DrawBenchmark: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "draw",
        abstract: "Bytes and CPU of drawing 120 x 36 cells over 4 running downloads."
    )

    /// Bytes a second, and % of a core.
    private static let bounds = (bytes: 6_144.0, drawing: 2.0)

    @Option(help: "Seconds of each round.")
    var seconds = 5

    @Option(help: "Rounds.")
    var rounds = 5

    func run() throws {
        printMachine()
        let origin = try Origin()
        // Never at its end while it is watched.
        origin.setFallback { _, _ in OriginResponse(body: .pattern(count: 1 << 45)) }
        let folder = try ScratchFolder()
        let paths = (1...4).map { origin.url("/file-\($0).bin") }
        let dashboard = try BenchedDashboard(paths + ["--no-save"], home: folder)
        try dashboard.wait(for: "four active tasks") { $0.text.contains("4 of 4 slots") }
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
        print("\nwatching 4 downloads at full rate, \(rounds) rounds of \(seconds) s, medians (least to greatest)")
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
