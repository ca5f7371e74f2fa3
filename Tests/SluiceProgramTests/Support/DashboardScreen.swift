import SluiceCore
import SluiceTestSupport
import Testing

/// One dashboard on a terminal of its own, every event of which is checked.
final class DashboardScreen {
    let scratch: Scratch
    let terminal: Pseudoterminal
    private var lines = EventLines()
    /// Bytes of the stream that were read.
    private var offset = 0

    /// Starts the program and waits for its first frame.
    ///
    /// - Parameters:
    ///   - arguments: Of the program; the option for the events is added.
    ///   - environment: Added to what every run finds.
    ///   - width: In cells.
    ///   - height: In cells.
    ///   - answer: What the terminal says when it is asked what it is.
    ///   - usesShell: Whether a shell with job control starts it, which the screen shows while it is stopped.
    ///   - scratch: The folders; with what the run should find in them.
    /// - Throws: If there is no first frame.
    init(
        _ arguments: [String] = [],
        environment: [String: String] = [:],
        width: Int = 80,
        height: Int = 24,
        answer: String = "",
        usesShell: Bool = false,
        in scratch: Scratch? = nil
    ) throws {
        let scratch = try scratch ?? Scratch()
        self.scratch = scratch
        let words = arguments + ["--events", scratch.path("events.jsonl")]
        terminal = try Pseudoterminal(
            usesShell ? "/bin/bash" : Program.path,
            arguments: usesShell ? ["--norc", "--noprofile", "--noediting", "-i"] : words,
            environment: Program.environment(home: scratch.home).merging(environment) { $1 }
                .merging(usesShell ? ["PS1": "shell> ", "HISTFILE": ""] : [:]) { $1 },
            directory: scratch.downloads,
            width: width,
            height: height
        )
        terminal.answer = Array(answer.utf8)
        if usesShell {
            try #require(terminal.waitForText("shell>"), "\(terminal.screen.text)")
            let command = ([Program.path] + words).map { "'\($0)'" }.joined(separator: " ")
            terminal.type("clear; \(command)\r")
        }
        try #require(terminal.wait { $0.isAlternate && Self.isWhole($0) }, "\(terminal.screen.text)")
    }

    /// The events so far.
    var events: [JSONValue] { lines.events }
    var screen: ScreenEmulator { terminal.screen }

    /// The program's process, where a shell started it and runs nothing else.
    var shellsChild: Int32? {
        let shell = terminal.processIdentifier
        let text = FileTree.contents(of: "/proc/\(shell)/task/\(shell)/children", from: 0)
        return Int32(String(decoding: text, as: UTF8.self).filter { !$0.isWhitespace })
    }
    var files: [String] { FileTree.names(in: scratch.downloads) }

    func type(_ text: String) { terminal.type(text) }

    /// Pastes as terminals do that mark pastes.
    func paste(_ text: String) { terminal.type("\u{1B}[200~\(text)\u{1B}[201~") }

    /// Leaves the prompt, or what else has the keys, and waits until keys mean keys.
    func leavePrompt() -> Bool {
        // The hints say who has the keys, once the frame is whole: an escape too many would make a key of the next one.
        let shows = { (screen: ScreenEmulator, hint: String) in
            !screen.modes.contains(Self.synchronised) && screen.rows.last?.contains(hint) == true
        }
        let isInLists = { (screen: ScreenEmulator) in shows(screen, "q quit") }
        let hasHints = { (screen: ScreenEmulator) in
            isInLists(screen) || ["^C ", "closes", "drop them"].contains { shows(screen, $0) }
        }
        for _ in 0..<2 {
            guard terminal.wait(until: hasHints) else { return false }
            if isInLists(screen) { return true }
            type("\u{1B}")
            if terminal.wait(within: .seconds(5), until: isInLists) { return true }
        }
        return false
    }

    /// Waits until the screen shows a text.
    func shows(_ text: String) -> Bool { terminal.waitForText(text) }

    /// Waits until the screen no longer shows a text.
    func hides(_ text: String) -> Bool { terminal.wait { !$0.text.contains(text) } }

    /// Reads events until a condition holds for them; the screen is kept up to date meanwhile.
    func wait(within limit: Duration = .patience, until isDone: ([JSONValue]) -> Bool) throws -> Bool {
        let end = ContinuousClock.now + limit
        while ContinuousClock.now < end {
            try read()
            if isDone(events) { return true }
            _ = terminal.bytes(for: .milliseconds(20))
        }
        return false
    }

    /// Reads events until a condition holds for them, while nobody reads what the program draws.
    func waitUnread(within limit: Duration = .patience, until isDone: ([JSONValue]) -> Bool) throws -> Bool {
        try terminal.waitUnread(within: limit) {
            try read()
            return isDone(events)
        }
    }

    /// Quits with `q`, twice if work is under way, and expects that nothing is left behind.
    func quit(_ location: SourceLocation = #_sourceLocation) throws {
        #expect(leavePrompt(), "\(screen.text)", sourceLocation: location)
        type("q")
        // Once the terminal is the shell's again, no more keys are for the program.
        _ = terminal.wait { !$0.isAlternate || $0.text.contains("again to quit") }
        if screen.isAlternate { type("q") }
        try expectEnd(.exited(0), location)
    }

    /// Waits for the end, and expects that the terminal is as it was and the stream of events whole.
    ///
    /// - Parameters:
    ///   - exit: How it should end.
    ///   - isWhole: Whether it came to write `session.ended`.
    ///   - location: Where to report.
    /// - Throws: If it does not end.
    func expectEnd(_ exit: ChildExit, isWhole: Bool = true, _ location: SourceLocation = #_sourceLocation) throws {
        let ended = terminal.waitForExit()
        try #require(ended != nil, "the program must end: \(screen.text)", sourceLocation: location)
        #expect(ended == exit, "\(screen.text)", sourceLocation: location)
        #expect(screen.remains == [], sourceLocation: location)
        #expect(screen.unknown == [], sourceLocation: location)
        #expect(terminal.modes == terminal.initialModes, sourceLocation: location)
        do {
            try read()
            if isWhole { try lines.end() }
        } catch {
            Issue.record("\(error)", sourceLocation: location)
        }
    }

    /// Set while a frame is being sent.
    private static let synchronised = 2_026

    /// Whether the frame is complete: the header, and nothing half sent.
    private static func isWhole(_ screen: ScreenEmulator) -> Bool {
        !screen.modes.contains(synchronised) && screen.row(0).contains("/") || screen.row(0).contains("idle")
    }

    private func read() throws {
        let bytes = FileTree.contents(of: scratch.path("events.jsonl"), from: offset)
        offset += bytes.count
        try lines.add(bytes)
    }
}
