internal import SluiceTestSupport

/// The built dashboard on a pseudoterminal of 120 x 36 cells, as the benchmarks use it.
///
/// Ends with the object. Every wait is bounded, and says what was on the screen when it failed.
final class BenchedDashboard {
    let terminal: Pseudoterminal
    var figures: ProcessFigures { ProcessFigures(pid: terminal.processIdentifier) }

    /// - Parameters:
    ///   - arguments: Without the program's name.
    ///   - home: Where the program runs and looks for its history, so that nobody's own is read.
    /// - Throws: `SpawnError` if the program was not built.
    init(_ arguments: [String], home: ScratchFolder) throws {
        terminal = try Pseudoterminal(
            sluicePath(),
            arguments: arguments,
            environment: ["HOME": home.path],
            directory: home.path,
            width: 120,
            height: 36
        )
    }

    /// Waits until the screen shows what is expected.
    ///
    /// - Parameters:
    ///   - what: For the message, should it not come.
    ///   - limit: The longest wait.
    ///   - condition: Asked at once and after everything that was sent.
    /// - Returns: Seconds until then; what it takes to understand the output is in it.
    /// - Throws: ``BenchmarkFailure`` with the screen if it does not come.
    @discardableResult
    func wait(
        for what: String,
        within limit: Duration = .seconds(20),
        _ condition: (ScreenEmulator) -> Bool
    ) throws -> Double {
        let started = now()
        guard terminal.wait(within: limit, until: condition) else {
            throw BenchmarkFailure(message: "the screen never showed \(what):\n\(terminal.screen.text)")
        }
        return now() - started
    }

    /// Types, and waits until the screen shows it.
    ///
    /// - Parameters:
    ///   - keys: What is written to the terminal.
    ///   - what: For the message, should it not come.
    ///   - limit: The longest wait.
    ///   - condition: Whether the screen shows what the keys did.
    /// - Returns: Seconds from before the key was written.
    /// - Throws: ``BenchmarkFailure`` with the screen if it does not come.
    @discardableResult
    func press(
        _ keys: String,
        toSee what: String,
        within limit: Duration = .seconds(20),
        _ condition: (ScreenEmulator) -> Bool
    ) throws -> Double {
        let started = now()
        terminal.type(keys)
        try wait(for: what, within: limit, condition)
        return now() - started
    }

    /// Waits until nothing was sent for some time.
    ///
    /// - Parameters:
    ///   - time: How long it must be quiet; below a second where transfers are held, whose silence is counted.
    ///   - attempts: How often it may be heard before.
    /// - Throws: ``BenchmarkFailure`` if it is never quiet for so long.
    func waitUntilQuiet(for time: Duration, attempts: Int = 10) throws {
        for _ in 0..<attempts where terminal.bytes(for: time).isEmpty { return }
        throw BenchmarkFailure(message: "the dashboard is never quiet:\n\(terminal.screen.text)")
    }
}
