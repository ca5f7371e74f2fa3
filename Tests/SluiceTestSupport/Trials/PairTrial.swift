internal import Glibc
internal import SluiceCore
internal import SluiceOrigin

/// Two processes over one list, one directory and one cache, again and again.
///
/// Each file must be whole when both have ended, no part may be left, and the limits are
/// looked at every 100 ms: requests under way, and bytes of the cache, which is too small
/// for all. What the cache has in the end must be what the origin sent.
public struct PairTrial {
    public struct Summary: Sendable {
        public var pairs = 0
        /// Files that were compared with what the origin sent.
        public var files = 0
        public var samples = 0
        /// Bytes of stored bodies, of all samples.
        public var greatestUsage = 0
        /// Requests under way, of all moments.
        public var mostAtOnce = 0
        /// Files that the cache alone answered with in the end, and that were compared too.
        public var hits = 0
    }

    /// Bytes that the cache may hold; the files are several times as large.
    public static let capacity = 4_000_000
    private static let slots = 4
    private let program: String

    /// - Parameter program: Path of `sluice`.
    public init(program: String) { self.program = program }

    /// Runs pairs until the time is over, and one at least.
    ///
    /// - Throws: ``TrialFailure`` at the first file that is not whole, limit that is not kept, or process that fails.
    ///   An empty cache in the end is one too.
    public func run(for time: Duration) throws -> Summary {
        let folder = try TemporaryDirectory()
        let origin = try Origin()
        origin.setFallback { request, _ in
            let number = Self.number(in: request.path)
            return .resource(.pattern(count: Self.size(number), from: number), for: request, etag: "\"\(number)\"")
        }
        let urls = (1...500).map { origin.url("/f\($0).bin") + "\n" }.joined()
        var summary = Summary()
        let deadline = Deadline(within: time)
        repeat {
            try runPair(folder, urls, &summary)
            summary.pairs += 1
        } while !deadline.hasPassed
        summary.mostAtOnce = origin.log.peakActive
        guard summary.mostAtOnce <= 2 * Self.slots else {
            throw TrialFailure("there were \(summary.mostAtOnce) requests at once", seed: 0, round: summary.pairs)
        }
        summary.hits = try checkCache(folder, urls, summary.pairs)
        return summary
    }

    private func runPair(_ folder: TemporaryDirectory, _ urls: String, _ summary: inout Summary) throws {
        let round = summary.pairs + 1
        // In turns: each beside the other's files, and each over them.
        let rule = round.isMultiple(of: 2) ? "overwrite" : "rename"
        let logs = (1...2).map { folder.path + "/events-\($0)" }
        let children = try logs.map { log in
            try ChildProcess(
                program,
                arguments: [
                    "get", "-q", "-i", "-", "--dir", folder.path + "/files", "--max-active",
                    "\(Self.slots)", "--on-exists", rule, "--policy", "reload", "--cache-dir", folder.path + "/cache",
                    "--http-capacity", "\(Self.capacity)", "--events", log,
                ],
                environment: ["HOME": folder.path, "XDG_STATE_HOME": folder.path + "/state"],
                directory: folder.path
            )
        }
        for child in children {
            child.write(urls)
            child.closeInput()
        }
        let deadline = Deadline(within: .seconds(120))
        var exits: [ChildExit?] = [nil, nil]
        while exits.contains(nil) {
            guard !deadline.hasPassed else { throw TrialFailure("a process does not end", seed: 0, round: round) }
            for (index, child) in children.enumerated() where exits[index] == nil {
                exits[index] = child.waitForExit(within: .milliseconds(50)).exit
            }
            try sample(folder, &summary)
        }
        for (index, child) in children.enumerated() where exits[index] != .exited(0) {
            let log = String(decoding: FileTree.contents(of: logs[index]) ?? [], as: UTF8.self)
            let failure = log.split(separator: "\n").first { $0.contains("task.finished") && $0.contains("failed") }
            let exit = exits[index].map { "\($0)" } ?? "-"
            throw TrialFailure(
                "a process ended with \(exit): \(failure ?? "no task failed") \(child.errorText)",
                seed: 0,
                round: round
            )
        }
        summary.files += try check(folder, round)
    }

    private func sample(_ folder: TemporaryDirectory, _ summary: inout Summary) throws {
        let bodies = folder.path + "/cache/bodies"
        let usage = FileTree.names(in: bodies).reduce(0) { sum, name in
            var status = stat()
            // One that is gone by now is no part of the sum.
            return unsafe lstat(bodies + "/" + name, &status) == 0 ? sum + Int(status.st_size) : sum
        }
        summary.samples += 1
        summary.greatestUsage = max(summary.greatestUsage, usage)
        guard usage <= Self.capacity else {
            throw TrialFailure("the cache holds \(usage) of \(Self.capacity) bytes", seed: 0, round: summary.pairs + 1)
        }
    }

    /// - Returns: How many files there are.
    private func check(_ folder: TemporaryDirectory, _ round: Int) throws -> Int {
        let names = try compare(folder.path + "/files", round)
        let found = Set(names.map(Self.number(ofFile:)))
        guard found == Set(1...500), !names.contains(where: { $0.hasSuffix(".part") }) else {
            throw TrialFailure("the directory has \(found.count) of 500 files: \(names)", seed: 0, round: round)
        }
        return names.count
    }

    /// Lets the cache that the pairs had in common answer a third process, which asks nobody else.
    ///
    /// Its state is its own: by that of the pairs an earlier save could answer as well.
    ///
    /// - Returns: How many files it got.
    private func checkCache(_ folder: TemporaryDirectory, _ urls: String, _ round: Int) throws -> Int {
        let log = folder.path + "/events-hits"
        let child = try ChildProcess(
            program,
            arguments: [
                "get", "-q", "-i", "-", "--dir", folder.path + "/hits", "--policy", "cacheOnly", "--cache-dir",
                folder.path + "/cache", "--http-capacity", "\(Self.capacity)", "--events", log,
            ],
            environment: ["HOME": folder.path, "XDG_STATE_HOME": folder.path + "/state-of-hits"],
            directory: folder.path
        )
        child.write(urls)
        let result = child.finish(within: .seconds(120))
        let events = String(decoding: FileTree.contents(of: log) ?? [], as: UTF8.self).split(separator: "\n")
        let failure = events.first { $0.contains("task.finished") && $0.contains("\"failed\"") }
        // What the cache had no room for is refused, and no task.
        guard result.exit == .exited(0) || result.exit == .exited(1), failure == nil else {
            let exit = result.exit.map { "\($0)" } ?? "-"
            throw TrialFailure(
                "the cache alone ended with \(exit): \(failure ?? "no task failed") \(result.errorText)",
                seed: 0,
                round: round
            )
        }
        let hits = events.count { $0.contains("\"httpcache.hit\"") }
        let names = try compare(folder.path + "/hits", round)
        guard hits > 0, names.count == hits else {
            throw TrialFailure("the cache answered \(hits) times, and \(names.count) files came", seed: 0, round: round)
        }
        return hits
    }

    /// Compares the files of a folder with what the origin sent.
    ///
    /// - Returns: Their names.
    private func compare(_ path: String, _ round: Int) throws -> [String] {
        let names = FileTree.names(in: path)
        for name in names {
            let number = Self.number(ofFile: name)
            let bytes = FileTree.contents(of: path + "/" + name)
            guard bytes == (0..<Self.size(number)).map({ OriginPattern.byte(at: $0 + number) }) else {
                throw TrialFailure("\(name) is not whole", seed: 0, round: round)
            }
        }
        return names
    }

    private static func size(_ number: Int) -> Int { 2_000 + number * 97 }
    private static func number(ofFile name: String) -> Int { number(in: name.prefix { $0 != "." }) }
    private static func number(in text: some StringProtocol) -> Int { Int(String(text.filter(\.isNumber))) ?? 0 }
}
