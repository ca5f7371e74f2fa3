internal import ArgumentParser
internal import SluiceCore
internal import SluiceOrigin
internal import SluiceTestSupport

/// What the dashboard costs while nothing happens.
struct IdleBenchmark: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "idle",
        abstract: "Bytes, wake-ups and CPU time of an idle dashboard over 10 s."
    )

    @Option(help: "Seconds to watch.")
    var seconds = 10

    func validate() throws { try check("seconds", seconds) }

    func run() throws {
        printMachine()
        let origin = try Origin()
        origin.setFallback { _, _ in OriginResponse(body: .pattern(count: 1_048_576)) }
        let folder = try ScratchFolder()
        let dashboard = try BenchedDashboard(
            [origin.url("/file.bin"), "--dir", folder.makeFolder("out")],
            home: folder
        )
        try dashboard.wait(for: "one finished download") { $0.text.contains("1 done") }
        // Longer than what a finished row lingers.
        try dashboard.waitUntilQuiet(for: .seconds(6))

        let figures = dashboard.figures
        let (switches, ticks, cpu) = (figures.voluntarySwitches, figures.ticks, figures.cpu)
        let bytes = dashboard.terminal.bytes(for: .seconds(seconds)).count
        let woken = figures.voluntarySwitches - switches
        let (spentTicks, spent) = (figures.ticks - ticks, figures.cpu - cpu)
        // Nothing is as quiet as a program that has ended.
        try dashboard.press("?", toSee: "help") { $0.text.contains("keys of ") }
        guard woken >= 0, spentTicks >= 0, spent >= 0 else {
            throw BenchmarkFailure(message: "a thread ended while the dashboard was watched")
        }

        print("\nidle for \(seconds) s after one download")
        print("  bytes to the terminal \(bytes), bound 0: \(verdict(bytes == 0))")
        print("  voluntary context switches \(woken), bound \(seconds): \(verdict(woken <= seconds))")
        let share = spent / Double(seconds) * 100
        print("  CPU time \(spentTicks) ticks of 10 ms (\(fixed(spent * 1000)) ms)", terminator: ", ")
        print("\(fixed(share, 3)) % of a core, bound 0.1: \(verdict(share < 0.1))")
        origin.close()
    }
}
