internal import CLinux
internal import Glibc

/// A program on a terminal of its own, for tests: types, looks at the screen, and sees how it ends.
///
/// Every wait has a limit and sleeps in `poll(2)` until something comes. The process
/// does not outlive this object.
public final class Pseudoterminal {
    /// The modes of a terminal line, as `tcgetattr` tells them.
    public struct LineModes: Equatable, Sendable {
        let flags: [UInt32]
        let characters: [UInt8]
        /// Whether typed characters are shown by the terminal itself.
        public let echoes: Bool
    }

    /// The modes of the line before the program started.
    public private(set) var initialModes = LineModes(flags: [], characters: [], echoes: true)
    /// What a user would see.
    public private(set) var screen: ScreenEmulator
    /// Every byte that the program has sent.
    public private(set) var transcript: [UInt8] = []
    public var processIdentifier: Int32 { process.identifier }

    /// What the terminal says to a program that asks for its attributes, the last question of all.
    ///
    /// Said before anything is drawn: programs wait a moment only, and a slow machine draws slowly.
    public var answer: [UInt8] = []

    private let process: SpawnedProcess
    private var terminal: Int32
    private let line: Int32

    /// Starts the program at `path` in a session whose terminal this is.
    ///
    /// - Parameters:
    ///   - path: Absolute; see ``ChildProcess/product(_:)``.
    ///   - arguments: Without the program's name.
    ///   - environment: Added to a basic one: `PATH`, `HOME`, `LANG`, `TERM` and what sanitizers need.
    ///   - directory: Where it runs; `nil` for the directory of the tests.
    ///   - width: In cells.
    ///   - height: In cells.
    /// - Throws: ``SpawnError`` if there is no such program.
    public init(
        _ path: String,
        arguments: [String] = [],
        environment: [String: String] = [:],
        directory: String? = nil,
        width: Int = 80,
        height: Int = 24
    ) throws(SpawnError) {
        screen = ScreenEmulator(width: width, height: height)
        var number: Int32 = 0
        terminal = unsafe sluice_open_pseudoterminal(&number)
        guard terminal >= 0 else { throw SpawnError(path: "/dev/ptmx", code: errno) }
        let name = "/dev/pts/\(number)"
        // Kept open, so that the modes can be read when the program is gone.
        line = unsafe open(name, O_RDWR | O_NOCTTY | O_CLOEXEC)
        Self.setSize(terminal, width, height)
        sluice_set_nonblocking(terminal)
        initialModes = Self.modes(of: line)
        process = try SpawnedProcess.start(
            path,
            arguments: arguments,
            environment: environment,
            directory: directory,
            actions: [.open(name, as: 0), .copy(0, as: 1), .copy(0, as: 2)]
        )
    }

    deinit {
        hangUp()
        close(line)
    }

    /// The modes of the line now.
    public var modes: LineModes { Self.modes(of: line) }

    /// How often the program's first thread has slept and been woken.
    public var wakeUps: Int? {
        let file = unsafe fopen("/proc/\(process.identifier)/status", "r")
        guard let file = unsafe file else { return nil }
        defer { unsafe fclose(file) }
        let text = unsafe String(unsafeUninitializedCapacity: 8_192) { unsafe fread($0.baseAddress, 1, $0.count, file) }
        let line = text.split(separator: "\n").first { $0.hasPrefix("voluntary_ctxt_switches:") }
        return line?.split(separator: "\t").last.flatMap { Int($0) }
    }

    /// Waits until the program's first thread sleeps, and has not been woken for a moment.
    ///
    /// - Returns: Whether it came to rest in time, and still runs.
    private func waitForRest(within limit: Duration = .patience) -> Bool {
        let deadline = Deadline(within: limit)
        var last: Int?
        while !deadline.hasPassed {
            _ = bytes(for: .milliseconds(20))
            guard let wakeUps else { return false }
            if wakeUps == last, isAsleep { return true }
            last = wakeUps
        }
        return false
    }

    private var isAsleep: Bool {
        let bytes = FileTree.contents(of: "/proc/\(process.identifier)/stat") ?? []
        // The name of the program, in brackets, comes before the state.
        return String(decoding: bytes, as: UTF8.self).split(separator: ")").last?.hasPrefix(" S") ?? false
    }

    private static func modes(of line: Int32) -> LineModes {
        var modes = termios()
        unsafe tcgetattr(line, &modes)
        let characters = unsafe withUnsafeBytes(of: modes.c_cc) { unsafe Array($0) }
        return LineModes(
            flags: [modes.c_iflag, modes.c_oflag, modes.c_cflag, modes.c_lflag],
            characters: characters,
            echoes: modes.c_lflag & tcflag_t(ECHO) != 0
        )
    }

    /// Types text; long ones are taken by the program while this object waits for them to go.
    public func type(_ text: String) { type(Array(text.utf8)) }

    /// Types bytes.
    public func type(_ bytes: [UInt8]) {
        var rest = bytes[...]
        let deadline = Deadline(within: .patience)
        while !rest.isEmpty, !deadline.hasPassed {
            var ready = pollfd(fd: terminal, events: Int16(POLLIN | POLLOUT), revents: 0)
            guard unsafe poll(&ready, 1, deadline.milliseconds) > 0 else { return }
            if ready.revents & Int16(POLLIN) != 0 { takeOutput() }
            guard ready.revents & Int16(POLLOUT) != 0 else { continue }
            let count = unsafe rest.withUnsafeBytes { unsafe write(terminal, $0.baseAddress, $0.count) }
            guard count > 0 || errno == EAGAIN else { return }
            guard count > 0 else { continue }
            rest = rest.dropFirst(count)
        }
    }

    /// Types a few keys, and reads nothing of what the program sends meanwhile.
    ///
    /// - Returns: Whether the line took them all.
    public func typeUnread(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        return unsafe write(terminal, bytes, bytes.count) == bytes.count
    }

    /// Waits until a condition holds and reads nothing meanwhile, as a terminal that is stuck.
    ///
    /// - Returns: Whether it did in time, and the program still runs.
    public func waitUnread(within limit: Duration = .patience, until condition: () throws -> Bool) rethrows -> Bool {
        let deadline = Deadline(within: limit)
        while try !condition() {
            guard !deadline.hasPassed else { return false }
            if waitForReadable([process.descriptor], until: Deadline(within: .milliseconds(20)))[0] { return false }
        }
        return true
    }

    /// Changes the size; the kernel tells the program.
    public func resize(width: Int, height: Int) {
        screen.resize(width: width, height: height)
        Self.setSize(terminal, width, height)
    }

    /// Sends a signal to the program; one that stands for a fault waits for a program with ThreadSanitizer to rest.
    ///
    /// The sanitizer's runtime holds locks of its own at times, and runs the handlers of such signals at once even then:
    /// they would wait for these locks for ever.
    public func send(signal: Int32) {
        let faults = [SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGABRT, SIGFPE, SIGSYS]
        if ChildProcess.isThreadSanitized, faults.contains(signal), !waitForRest() { return }
        process.send(signal)
    }

    /// Sends a signal again and again until the program has ended: what comes right behind another one counts as that.
    ///
    /// - Returns: How it ended, or `nil` if it still runs.
    public func sendUntilItEnds(signal: Int32) -> ChildExit? {
        let deadline = Deadline(within: .patience)
        while process.exit == nil, !deadline.hasPassed {
            send(signal: signal)
            _ = waitForExit(within: .milliseconds(20))
        }
        return process.exit
    }

    /// Takes the terminal away, as a closed window does.
    public func hangUp() {
        guard terminal >= 0 else { return }
        close(terminal)
        terminal = -1
    }

    /// Waits until `condition` holds for the screen.
    ///
    /// - Returns: Whether it did in time.
    public func wait(within limit: Duration = .patience, until condition: (ScreenEmulator) -> Bool) -> Bool {
        let deadline = Deadline(within: limit)
        while !condition(screen) {
            guard !deadline.hasPassed, terminal >= 0 else { return false }
            if waitForReadable([terminal], until: deadline)[0] { takeOutput() }
        }
        return true
    }

    /// Waits until the screen shows `text` somewhere in a row.
    ///
    /// - Returns: Whether it came in time.
    public func waitForText(_ text: String, within limit: Duration = .patience) -> Bool {
        wait(within: limit) { $0.rows.contains { $0.contains(text) } }
    }

    /// Reads for as long as `limit`.
    ///
    /// - Returns: The bytes that came.
    public func bytes(for limit: Duration) -> [UInt8] {
        let start = transcript.count
        _ = wait(within: limit) { _ in false }
        return Array(transcript[start...])
    }

    /// Waits until the program has ended, and reads what it still sent.
    ///
    /// - Returns: How it ended, or `nil` if it still runs.
    public func waitForExit(within limit: Duration = .patience) -> ChildExit? {
        let deadline = Deadline(within: limit)
        while process.exit == nil, !deadline.hasPassed {
            let ready = waitForReadable([process.descriptor, terminal], until: deadline)
            if ready[1] { takeOutput() }
            if ready[0] { process.collect() }
        }
        let now = Deadline(within: .zero)
        while terminal >= 0, waitForReadable([terminal], until: now)[0] { guard takeOutput() else { break } }
        return process.exit
    }

    /// Draws what the program has sent, in pieces: between them it is looked whether it asks something.
    ///
    /// - Returns: Whether there was something.
    @discardableResult
    private func takeOutput() -> Bool {
        var drawn = transcript.count
        guard readOutput() else { return false }
        while drawn < transcript.count {
            let end = min(transcript.count, drawn + 1_024)
            screen.feed(Array(transcript[drawn..<end]))
            drawn = end
            if !answer.isEmpty { _ = readOutput() }
        }
        return true
    }

    /// Adds what the program has sent to the transcript, and answers it.
    ///
    /// - Returns: Whether there was something.
    private func readOutput() -> Bool {
        unsafe withUnsafeTemporaryAllocation(byteCount: 65_536, alignment: 1) { buffer in
            let count = unsafe read(terminal, buffer.baseAddress, buffer.count)
            guard count > 0 else { return false }
            unsafe transcript += buffer[..<count]
            if !answer.isEmpty { answerQuestion(in: transcript.suffix(count + Self.question.count - 1)) }
            return true
        }
    }

    /// What asks a terminal for its attributes.
    private static let question = Array("\u{1B}[c".utf8)

    private func answerQuestion(in bytes: ArraySlice<UInt8>) {
        let isAsked = bytes.indices.contains { bytes[$0...].starts(with: Self.question) }
        if isAsked { unsafe _ = write(terminal, answer, answer.count) }
    }

    private static func setSize(_ terminal: Int32, _ width: Int, _ height: Int) {
        var size = winsize()
        (size.ws_col, size.ws_row) = (UInt16(width), UInt16(height))
        unsafe _ = sluice_set_window_size(terminal, &size)
    }
}
