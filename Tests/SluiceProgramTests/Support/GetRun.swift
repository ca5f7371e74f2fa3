import Glibc
import SluiceCore
import SluiceTestSupport
import Testing

/// One run of `sluice get`, every event of which is checked.
final class GetRun {
    /// Where its events go.
    enum Place {
        case file
        case output
        /// The test reads no events.
        case nowhere
    }

    /// What a run left behind.
    struct Result {
        let exit: ChildExit?
        let output: [UInt8]
        let errors: String
        let events: [JSONValue]
        /// Of the files in the directory it ran in.
        let files: [String]
    }

    let scratch: Scratch
    let child: ChildProcess
    private let place: Place
    private let expectsOutput: Bool
    /// Whether it was asked to write in colours though its output is no terminal.
    private let expectsColors: Bool
    private var lines = EventLines()
    /// Bytes of the stream that were read.
    private var offset = 0

    /// Starts the program.
    ///
    /// - Parameters:
    ///   - arguments: Behind `get`.
    ///   - place: Where the events go; the options for that are added.
    ///   - scratch: The folders; with what the run should find in them.
    ///   - openFiles: How many files it may have open; `nil` leaves what this process may.
    /// - Throws: If there is no such program.
    init(
        _ arguments: [String],
        events place: Place = .file,
        in scratch: Scratch? = nil,
        openFiles: Int? = nil
    ) throws {
        let scratch = try scratch ?? Scratch()
        (self.scratch, self.place) = (scratch, place)
        let options: [String] =
            switch place {
            case .file: ["--events", scratch.path("events.jsonl")]
            case .output: ["--events", "-"]
            case .nowhere: []
            }
        expectsOutput = place == .output || arguments.contains("--output")
        expectsColors = arguments.contains("always")
        let shell = openFiles.map { ["-c", "ulimit -n \($0); exec \"$@\"", "sh", Program.path] }
        child = try ChildProcess(
            shell == nil ? Program.path : "/bin/sh",
            arguments: (shell ?? []) + ["get"] + arguments + options,
            environment: Program.environment(home: scratch.home),
            directory: scratch.downloads
        )
    }

    /// The events so far.
    var events: [JSONValue] { lines.events }

    /// Reads events until a condition holds for them.
    func wait(within limit: Duration = .patience, until isDone: ([JSONValue]) -> Bool) throws -> Bool {
        let end = ContinuousClock.now + limit
        while ContinuousClock.now < end {
            try read()
            if isDone(events) { return true }
            // A file says nothing when it grows: it is looked at again and again.
            let seen = child.output.count
            _ = child.wait(within: .milliseconds(place == .file ? 20 : 500)) { child.output.count > seen }
        }
        return false
    }

    /// Waits until the program has ended, with its input closed unless it is to stay open.
    ///
    /// - Parameters:
    ///   - limit: The longest wait.
    ///   - closesInput: Whether its input ends first.
    ///   - isWhole: Whether it came to write `session.ended`.
    ///   - location: Where to report.
    /// - Returns: What it left.
    /// - Throws: If it does not end.
    func finish(
        within limit: Duration = .patience,
        closesInput: Bool = true,
        isWhole: Bool = true,
        _ location: SourceLocation = #_sourceLocation
    ) throws -> Result {
        let ended = closesInput ? child.finish(within: limit) : child.waitForExit(within: limit)
        try #require(ended.exit != nil, "the program must end: \(ended.errorText)", sourceLocation: location)
        do {
            try read()
            if place != .nowhere, isWhole, ended.exit != .exited(2) { try lines.end() }
        } catch {
            Issue.record("\(error)", sourceLocation: location)
        }
        #expect(expectsOutput || ended.output.isEmpty, "\(ended.outputText)", sourceLocation: location)
        var plain = ended.errorText
        if expectsColors { plain.replace(/\u{1B}\[3[19]m/, with: "") }
        let controls = plain.unicodeScalars.filter { $0.isControl && $0 != "\n" }
        #expect(controls.isEmpty, "\(ended.errorText.debugDescription)", sourceLocation: location)
        return Result(
            exit: ended.exit,
            output: ended.output,
            errors: ended.errorText,
            events: events,
            files: FileTree.names(in: scratch.downloads)
        )
    }

    /// - Returns: The bytes of a saved file, or `nil` if there is none.
    func contents(of name: String) -> [UInt8]? { FileTree.contents(of: scratch.downloads + "/" + name) }

    private func read() throws {
        let bytes: [UInt8]
        switch place {
        case .nowhere: return
        case .output: bytes = Array(child.output[offset...])
        case .file: bytes = FileTree.contents(of: scratch.path("events.jsonl"), from: offset)
        }
        offset += bytes.count
        try lines.add(bytes)
    }
}

extension GetRun {
    /// Runs it to its end.
    static func run(
        _ arguments: [String],
        events place: Place = .file,
        in scratch: Scratch? = nil,
        _ location: SourceLocation = #_sourceLocation
    ) throws -> (run: GetRun, result: Result) {
        let run = try GetRun(arguments, events: place, in: scratch)
        return (run, try run.finish(location))
    }
}

extension Unicode.Scalar {
    /// C0, DEL or C1: what can move a cursor or change a terminal.
    var isControl: Bool { value < 0x20 || (0x7F...0x9F).contains(value) }
}

extension FileTree {
    /// - Returns: The bytes of a file from an offset on; none if it is shorter or missing.
    static func contents(of path: String, from offset: Int) -> [UInt8] {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return [] }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while case let count = unsafe pread(descriptor, &buffer, buffer.count, off_t(offset + bytes.count)), count > 0 {
            bytes += buffer[..<count]
        }
        return bytes
    }
}

extension GetRun {
    /// Waits until a part is on record, which a process that is killed can't make up for.
    func waitForState(of scratch: Scratch) -> Bool {
        let end = ContinuousClock.now + .patience
        while ContinuousClock.now < end {
            let log = FileTree.contents(of: scratch.home + "/state/sluice/state.sqlite-wal") ?? []
            if String(decoding: log, as: UTF8.self).contains("data.bin.part") { return true }
            _ = child.wait(within: .milliseconds(20)) { false }
        }
        return false
    }
}
