internal import ArgumentParser
internal import SluiceTestSupport

/// Cuts and kills at random moments, and pairs over one list, many of them: what the tests do a few times.
struct TrialsBenchmark: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "trials",
        abstract: """
            Files cut at random places, dashboards killed at random moments, and two processes over one list; ends at \
            the first loss.
            """
    )

    @Option(help: "Files that are cut, their server restarted, often with another version.")
    var cuts = 200

    @Option(help: "Dashboards that are killed, ten in a row over one queue.")
    var kills = 200

    @Option(help: "Seconds for which pairs of processes download the same 500 URLs to one directory.")
    var pairs = 60

    @Option(help: "Files of one queue.")
    var files = 1_000

    @Option(help: "Repeats what was printed.")
    var seed: UInt64?

    func validate() throws {
        for (option, value) in [("cuts", cuts), ("kills", kills), ("pairs", pairs)] {
            try check(option, value, atLeast: 0)
        }
        try check("files", files)
    }

    func run() throws {
        printMachine()
        let seed = seed ?? .random(in: 1...UInt64(UInt32.max))
        print("seed \(seed)")
        if cuts > 0 {
            var trial = CutTrial(program: sluicePath(), seed: seed)
            let found = try trial.run(rounds: cuts)
            print("\(cuts) files: \(found.cuts) cuts, \(found.continued) parts continued, no mixture")
        }
        var (killed, live, continued) = (0, 0, 0)
        for round in 0..<(kills + 9) / 10 {
            var trial = KillTrial(program: sluicePath(), seed: seed &+ UInt64(round), files: files)
            let summary = try trial.run(kills: min(10, kills - killed), round: round + 1)
            (killed, live, continued) = (killed + summary.kills, live + summary.live, continued + summary.continued)
            print("\(killed) kills, \(live) with live transfers, \(continued) parts continued, nothing lost")
        }
        guard live * 10 >= killed * 9 else { throw TrialFailure("too few kills hit transfers", seed: seed, round: 0) }
        guard continued * 10 >= killed - 9 else { throw TrialFailure("too few parts continued", seed: seed, round: 0) }
        if pairs > 0 {
            let found = try PairTrial(program: sluicePath()).run(for: .seconds(pairs))
            print(
                "\(found.pairs) pairs: \(found.files) files whole; \(found.samples) samples, at most "
                    + "\(found.greatestUsage) of \(PairTrial.capacity) bytes stored and \(found.mostAtOnce) of 8 at once"
            )
        }
    }
}
