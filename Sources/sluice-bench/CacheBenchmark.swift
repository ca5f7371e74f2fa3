internal import ArgumentParser
internal import Glibc
internal import SluiceCore
internal import SluiceStore
internal import SluiceTestSupport

/// What the HTTP cache costs, and how fast it answers and opens.
struct CacheBenchmark: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "cache",
        abstract:
            "The HTTP cache: its share of 2,000 small files, a fresh hit, and opening 100,000 responses; needs nginx."
    )

    @Option(help: "Rounds of each program, after one that does not count.")
    var rounds = 15

    @Option(help: "Responses in the cache that is opened.")
    var responses = 100_000

    /// Bounds: of the wall time without a cache, seconds a hit, seconds to open.
    private static let bounds = (cost: 1.10, hit: 0.001, open: 0.1)
    private static let files = 2000

    func validate() throws {
        try check("rounds", rounds)
        try check("responses", responses)
    }

    func run() throws {
        printMachine()
        let folder = try ScratchFolder()
        let root = folder.makeFolder("www")
        for number in 0..<Self.files {
            let block = (0..<20_480).map { UInt8(truncatingIfNeeded: ($0 &+ number) &* 31 &+ $0 >> 8) }
            try folder.write("www/f\(number).bin", block)
        }
        let server = try Nginx(folder, root: root)
        let urls = (0..<Self.files).map { "\(server.baseURL)/f\($0).bin" }
        try folder.write("urls", Array((urls.joined(separator: "\n") + "\n").utf8))
        try measureCost(folder, saves: true)
        try measureCost(folder, saves: false)
        try measureHits(folder)
        try measureOpening(folder)
    }

    private func measureCost(_ folder: ScratchFolder, saves: Bool) throws {
        let target = saves ? ["--dir", folder.makeFolder("out")] : ["--no-save"]
        var (without, with): ([Double], [Double]) = ([], [])
        for round in 0...rounds {
            // In turns, so that neither always follows the other.
            for step in [round, round + 1] {
                folder.empty("out")
                let cache = folder.path + "/cache-\(saves)-\(round)"
                let option = step.isMultiple(of: 2) ? ["--no-http-cache"] : ["--cache-dir", cache]
                let wall = try get(folder, target + option)
                if !step.isMultiple(of: 2) { try checkStored(cache) }
                if round == 0 { continue }
                if step.isMultiple(of: 2) { without.append(wall) } else { with.append(wall) }
            }
        }
        let (base, full) = (Spread(without), Spread(with))
        print(
            "\n\(Self.files) x 20 KiB \(saves ? "to files" : "without files"), 4 at once, \(rounds) rounds, medians (least to greatest)"
        )
        print("  without cache \(fixed(base.median)) s (\(fixed(base.least)) to \(fixed(base.greatest)))")
        let ratio = full.median / base.median
        // The bound is for runs that save: there the cache shares the bytes of files that are made anyway. Without them
        // its own are the only files, beside a run that makes none: what that costs is shown, and not judged.
        let words = saves ? "bound \(fixed(Self.bounds.cost, 2)): \(verdict(ratio <= Self.bounds.cost))" : "no bound"
        print(
            "  storing all   \(fixed(full.median)) s (\(fixed(full.least)) to \(fixed(full.greatest))) = \(fixed(ratio, 2)) x; \(words)"
        )
    }

    /// Makes sure that a run stored all, and removes it: each keeps as much memory as the files.
    private func checkStored(_ cache: String) throws {
        let store = try ResponseStore(directory: cache, capacity: 0, memory: 0, clock: { 0 }, wake: {})
        let count = store.figures.count
        store.close()
        FileTree.remove(cache)
        guard count == Self.files else {
            throw BenchmarkFailure(message: "\(count) of \(Self.files) responses were stored; is /dev/shm full?")
        }
    }

    private func get(_ folder: ScratchFolder, _ options: [String]) throws -> Double {
        try Run(
            arguments: [sluicePath(), "get", "-q", "-i", folder.path + "/urls", "--max-active", "4"] + options,
            home: folder.empty("home")
        ).measure().wall
    }

    private func measureHits(_ folder: ScratchFolder) throws {
        let cache = ["--cache-dir", folder.path + "/hits"]
        _ = try get(folder, cache + ["--no-save"])
        var times: [Double] = []
        for _ in 0..<rounds {
            folder.empty("out")
            // What is not there fails the run, rather than to be downloaded.
            let all = try get(folder, cache + ["--policy", "cacheOnly", "--dir", folder.path + "/out"])
            times.append(all / Double(Self.files))
        }
        let spread = Spread(times.map { $0 * 1000 })
        print(
            "\na hit, its file copied: \(fixed(spread.median)) ms (\(fixed(spread.least)) to \(fixed(spread.greatest))), start of the program included"
        )
        print("  bound \(fixed(Self.bounds.hit * 1000, 1)) ms: \(verdict(spread.median / 1000 <= Self.bounds.hit))")
    }

    private func measureOpening(_ folder: ScratchFolder) throws {
        let path = folder.path + "/large"
        try fill(path)
        var times: [Double] = []
        for round in 0...rounds {
            let begin = now()
            let store = try ResponseStore(
                directory: path,
                capacity: 0,
                memory: 0,
                clock: { 1_000_000_000 },
                wake: {}
            )
            let found = store.responses(for: "http://h/\(round * 7)", now: Timestamp(nanoseconds: 0)).count
            if round > 0 { times.append(now() - begin) }
            guard found == 1, store.figures.count == responses else {
                throw BenchmarkFailure(message: "not all is there")
            }
            store.close()
        }
        let spread = Spread(times.map { $0 * 1000 })
        print(
            "\nopening \(responses) responses and finding one: \(fixed(spread.median, 2)) ms (\(fixed(spread.least, 2)) to \(fixed(spread.greatest, 2)))"
        )
        print("  bound \(fixed(Self.bounds.open * 1000, 0)) ms: \(verdict(spread.median / 1000 <= Self.bounds.open))")
    }

    private func fill(_ path: String) throws {
        let store = try ResponseStore(directory: path, capacity: 0, memory: 0, clock: { 1_000_000_000 }, wake: {})
        let fields = [
            HeaderField("Date", "Sun, 06 Nov 1994 08:49:37 GMT"), HeaderField("Content-Type", "image/jpeg"),
            HeaderField("Cache-Control", "max-age=3600"), HeaderField("ETag", "\"0123456789abcdef\""),
        ]
        for number in 0..<responses {
            let response = StoredResponse(
                url: "http://h/\(number)",
                status: 200,
                fields: fields,
                requestTime: 0,
                responseTime: 0
            )
            _ = try store.add(response, .bytes([1]), reserved: nil, now: Timestamp(nanoseconds: 0))
        }
        store.close()
    }
}
