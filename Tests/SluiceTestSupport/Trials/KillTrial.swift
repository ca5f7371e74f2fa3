internal import CLinux
internal import Glibc
internal import SluiceCore
internal import SluiceOrigin

/// Kills a dashboard again and again while it downloads, and lets the next one go on.
///
/// No request whose `request.submitted` was written is lost, no file under its final name is
/// incomplete, what was complete is not asked for again, and the cache says what the disk has.
public struct KillTrial {
    /// When a dashboard is killed.
    private enum Moment {
        /// While it takes up what the one before left.
        case starting
        /// While it takes in its list.
        case submitting
        /// While it downloads.
        case downloading
        /// While some of its parts have bytes on disk.
        case partly
    }

    /// What was seen.
    public struct Summary: Sendable {
        public var kills = 0
        /// Kills that hit transfers under way.
        public var live = 0
        public var files = 0
        /// Parts that were continued by a later process.
        public var continued = 0
    }

    private static let width = 100
    private let program: String
    private let seed: UInt64
    private let files: Int
    private var random: SeededRandom

    /// - Parameters:
    ///   - program: Path of `sluice`.
    ///   - seed: From which everything follows but the timing.
    ///   - files: Of one queue.
    public init(program: String, seed: UInt64, files: Int) {
        (self.program, self.seed, self.files) = (program, seed, files)
        random = SeededRandom(seed: seed)
    }

    /// Kills so many dashboards in a row over one queue, then lets one finish it.
    ///
    /// - Throws: ``TrialFailure`` at the first thing that is wrong.
    public mutating func run(kills: Int, round: Int = 1) throws -> Summary {
        let folder = try TemporaryDirectory()
        for name in ["home", "files"] { unsafe mkdir(folder.path + "/" + name, 0o700) }
        let origin = try Origin()
        defer { origin.close() }
        let (continued, isSlow) = (SharedValue(0), SharedValue(true))
        origin.setFallback { request, _ in
            let number = Int(request.path.filter(\.isNumber)) ?? 0
            var answer = OriginResponse.resource(
                .pattern(count: Self.size(number), from: number),
                for: request,
                etag: "\"\(number)\""
            )
            if answer.status == 206 { continued.change { $0 += 1 } }
            // The others would be asked for again where they were forgotten.
            if number.isMultiple(of: 2) { answer.headers.append(HeaderField("Cache-Control", "max-age=1000")) }
            if isSlow.value { answer.bytesPerSecond = 150_000 }
            return answer
        }
        let urls = (1...files).map { origin.url("/f\($0).bin") }
        try write(urls.joined(separator: "\n"), to: folder.path + "/home/urls")
        var summary = Summary()
        var acknowledged: Set<String> = []
        var arguments = ["-i", folder.path + "/home/urls"]
        for kill in 1...kills {
            let events = "\(folder.path)/home/events\(kill)"
            let terminal = try start(folder, arguments, events)
            try wait(for: moment(kill, round), terminal, folder, events, round)
            if origin.log.active > 0 { summary.live += 1 }
            terminal.send(signal: SIGKILL)
            _ = terminal.waitForExit()
            summary.kills += 1
            acknowledged.formUnion(try submitted(events))
            try checkFiles(folder, round)
            arguments = []
            try remember(folder, origin, round)
            complete = Set(completeFiles(folder))
            hits = origin.log.hits
        }
        isSlow.value = false
        let events = folder.path + "/home/events"
        let terminal = try start(folder, arguments, events)
        let wanted = acknowledged
        let isDone = wait(terminal, within: .seconds(120)) {
            wanted.isSubset(of: Set(FileTree.names(in: folder.path + "/files")))
        }
        guard isDone else {
            let missing = wanted.subtracting(FileTree.names(in: folder.path + "/files")).sorted().prefix(5)
            throw TrialFailure(
                "acknowledged requests are lost, such as \(missing): \(terminal.screen.text)",
                seed: seed,
                round: round
            )
        }
        terminal.type("q")
        terminal.type("q")
        _ = terminal.waitForExit()
        try checkFiles(folder, round)
        try remember(folder, origin, round)
        try checkCache(folder, round)
        (summary.files, summary.continued) = (acknowledged.count, continued.value)
        return summary
    }

    /// Most kills hit transfers; one of twenty a start, and of every fifth list its submission.
    private func moment(_ kill: Int, _ round: Int) -> Moment {
        switch kill {
        case 1: round.isMultiple(of: 5) ? .submitting : .downloading
        case 2, 6: .partly
        case 5: round.isMultiple(of: 2) ? .starting : .downloading
        default: .downloading
        }
    }

    /// Returns when it is time to kill.
    private mutating func wait(
        for moment: Moment,
        _ terminal: Pseudoterminal,
        _ folder: TemporaryDirectory,
        _ events: String,
        _ round: Int
    ) throws {
        let (sign, most): (String?, Int) =
            switch moment {
            case .starting: (nil, 300)
            case .submitting: ("\"request.submitted\"", 50)
            case .downloading, .partly: ("\"task.progress\"", 700)
            }
        let isUp = wait(terminal, within: .patience) {
            let parts = moment == .partly ? FileTree.names(in: folder.path + "/files") : []
            return (sign.map { Self.contains($0, in: events) } ?? true)
                && (moment != .partly || parts.contains { Self.isBegun($0, in: folder) })
        }
        guard isUp else {
            throw TrialFailure("nothing is downloaded: \(terminal.screen.text)", seed: seed, round: round)
        }
        // The record of a part is kept just after its bytes.
        let least = moment == .partly ? 200 : 0
        _ = terminal.bytes(for: .milliseconds(Int.random(in: least...most, using: &random)))
    }

    /// Whether it is the part of a large file that has bytes on disk.
    private static func isBegun(_ name: String, in folder: TemporaryDirectory) -> Bool {
        name.hasSuffix("0.bin.part") && FileTree.size(of: folder.path + "/files/" + name) > 0
    }

    /// Sees to it that the cache says of itself what its folder has.
    private func checkCache(_ folder: TemporaryDirectory, _ round: Int) throws {
        let child = try ChildProcess(
            program,
            arguments: ["cache", "info"],
            environment: environment(folder),
            directory: folder.path + "/files"
        )
        let said = child.finish(within: .seconds(60)).outputText
        let bodies = folder.path + "/home/cache/sluice/bodies/"
        let names = FileTree.names(in: bodies)
        let bytes = names.reduce(0) { $0 + FileTree.size(of: bodies + $1) }
        guard !names.isEmpty, said.contains("responses  \(names.count)\n"), said.contains("(\(bytes) bytes)") else {
            throw TrialFailure("\(names.count) bodies of \(bytes) bytes, but: \(said)", seed: seed, round: round)
        }
    }

    /// Files that were complete at the last kill, and how often each path had been asked for by then.
    private var complete: Set<String> = []
    private var hits: [String: Int] = [:]

    /// Sees to it that nothing complete was asked for since the last kill.
    private func remember(_ folder: TemporaryDirectory, _ origin: Origin, _ round: Int) throws {
        let now = origin.log.hits
        for name in complete where now["/\(name)", default: 0] != hits["/\(name)", default: 0] {
            throw TrialFailure("\(name) was complete and is asked for again", seed: seed, round: round)
        }
    }

    private func completeFiles(_ folder: TemporaryDirectory) -> [String] {
        FileTree.names(in: folder.path + "/files").filter { !$0.hasSuffix(".part") }
    }

    private func checkFiles(_ folder: TemporaryDirectory, _ round: Int) throws {
        for name in completeFiles(folder) {
            let number = Int(name.filter(\.isNumber)) ?? 0
            guard name == "f\(number).bin" else {
                throw TrialFailure("there is a file \(name) that nobody asked for", seed: seed, round: round)
            }
            let bytes = FileTree.contents(of: folder.path + "/files/" + name) ?? []
            guard bytes.count == Self.size(number),
                bytes.indices.allSatisfy({ bytes[$0] == OriginPattern.byte(at: $0 + number) })
            else { throw TrialFailure("\(name) is not whole", seed: seed, round: round) }
        }
    }

    private func start(_ folder: TemporaryDirectory, _ arguments: [String], _ events: String) throws -> Pseudoterminal {
        try Pseudoterminal(
            program,
            arguments: arguments + ["--max-active", "20", "--events", events],
            environment: environment(folder),
            directory: folder.path + "/files",
            width: Self.width,
            height: 30
        )
    }

    private func environment(_ folder: TemporaryDirectory) -> [String: String] {
        [
            "HOME": folder.path + "/home", "XDG_STATE_HOME": folder.path + "/home/state",
            "XDG_CONFIG_HOME": folder.path + "/home/config", "XDG_CACHE_HOME": folder.path + "/home/cache",
            "XDG_RUNTIME_DIR": folder.path + "/home", "TZ": "UTC",
        ]
    }

    private func wait(_ terminal: Pseudoterminal, within limit: Duration, until isDone: () -> Bool) -> Bool {
        let end = ContinuousClock.now + limit
        while !isDone() {
            guard ContinuousClock.now < end else { return false }
            _ = terminal.bytes(for: .milliseconds(20))
        }
        return true
    }

    /// The files of the requests that a log of events has acknowledged.
    private func submitted(_ path: String) throws -> [String] {
        let text = String(decoding: FileTree.contents(of: path) ?? [], as: UTF8.self)
        // What follows the last line break was not written whole.
        return try text.split(separator: "\n", omittingEmptySubsequences: false).dropLast().compactMap { line in
            guard line.contains("\"request.submitted\"") else { return nil }
            let event = try JSONValue(parsing: String(line))
            return event["url"]?.string?.split(separator: "/").last.map(String.init)
        }
    }

    private static func contains(_ text: String, in path: String) -> Bool {
        String(decoding: FileTree.contents(of: path) ?? [], as: UTF8.self).contains(text)
    }

    private func write(_ text: String, to path: String) throws {
        guard FileTree.write(text, to: path) else { throw TrialFailure("can't write \(path)", seed: seed, round: 0) }
    }

    /// From a few KiB to what takes some seconds.
    private static func size(_ number: Int) -> Int { number % 10 == 0 ? 600_000 : 3_000 + number * 37 % 40_000 }
}
