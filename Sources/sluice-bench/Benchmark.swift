internal import ArgumentParser
internal import Glibc
internal import SluiceCore

/// Measures what the README claims, on the machine at hand.
///
/// Every command prints the machine, the build, medians and spread, so that a figure
/// can be judged; ratios travel between machines, absolute times do not.
@main
struct Benchmark: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sluice-bench",
        abstract: "Measures Sluice against other programs and its own bounds.",
        discussion: "Build everything first: swift build -c release",
        subcommands: [
            TransfersBenchmark.self, MemoryBenchmark.self, QueueBenchmark.self, IdleBenchmark.self,
            AbortBenchmark.self, DrawBenchmark.self, CacheBenchmark.self, TrialsBenchmark.self,
            KeysBenchmark.self,
        ]
    )

    static func main() {
        do {
            var command = try parseAsRoot()
            try command.run()
        } catch {
            exit(withError: error)
        }
        if missed.withLock({ $0 }) > 0 { Glibc.exit(1) }
    }
}

extension ParsableCommand {
    /// - Throws: A sentence for people if an option is below what can be measured.
    func check(_ option: String, _ value: Int, atLeast least: Int = 1) throws {
        if value < least { throw ValidationError("--\(option) must be \(least) or more") }
    }
}

/// Why nothing could be measured; a sentence for people.
struct BenchmarkFailure: Error, CustomStringConvertible {
    let message: String
    var description: String { message }
}
