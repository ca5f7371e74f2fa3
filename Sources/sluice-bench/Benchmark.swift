internal import ArgumentParser

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
}

/// Why nothing could be measured; a sentence for people.
struct BenchmarkFailure: Error, CustomStringConvertible {
    let message: String
    var description: String { message }
}
