internal import CLinux
internal import Glibc

/// A program with pipes, for tests: feeds it, collects what it writes, and sees how it ends.
///
/// Every wait has a limit and sleeps in `poll(2)` until something comes. The process
/// does not outlive this object.
public final class ChildProcess {
    /// What a process left behind.
    public struct Result: Sendable {
        /// `nil` if it still ran when the limit was over.
        public var exit: ChildExit?
        public var output: [UInt8]
        public var errors: [UInt8]
        /// The most memory that it used, in KiB.
        public var maxResident: Int
        public var outputText: String { String(decoding: output, as: UTF8.self) }
        public var errorText: String { String(decoding: errors, as: UTF8.self) }
    }

    public private(set) var output: [UInt8] = []
    public private(set) var errors: [UInt8] = []
    public var outputText: String { String(decoding: output, as: UTF8.self) }
    public var errorText: String { String(decoding: errors, as: UTF8.self) }
    public var processIdentifier: Int32 { process.identifier }

    private let process: SpawnedProcess
    private var input: Int32?
    private var sources: (output: Int32?, errors: Int32?)
    private var unsent: ArraySlice<UInt8> = []
    private var closesInput = false

    /// Starts the program at `path`, in a session of its own.
    ///
    /// - Parameters:
    ///   - path: Absolute; see ``product(_:)``.
    ///   - arguments: Without the program's name.
    ///   - environment: Added to a basic one: `PATH`, `HOME`, `LANG`, `TERM` and what sanitizers need.
    ///   - directory: Where it runs; `nil` for the directory of the tests.
    /// - Throws: ``SpawnError`` if there is no such program.
    public init(
        _ path: String,
        arguments: [String] = [],
        environment: [String: String] = [:],
        directory: String? = nil
    ) throws(SpawnError) {
        // Writing to a program that has ended is an error of the write, not the end of the tests.
        signal(SIGPIPE, SIG_IGN)
        let (input, output, errors) = (Pipe(), Pipe(), Pipe())
        do {
            process = try SpawnedProcess.start(
                path,
                arguments: arguments,
                environment: environment,
                directory: directory,
                actions: [.copy(input.reader, as: 0), .copy(output.writer, as: 1), .copy(errors.writer, as: 2)]
            )
        } catch {
            for pipe in [input, output, errors] { for end in [pipe.reader, pipe.writer] { close(end) } }
            throw error
        }
        for end in [input.reader, output.writer, errors.writer] { close(end) }
        self.input = input.writer
        sources = (output.reader, errors.reader)
        sluice_set_nonblocking(input.writer)
    }

    deinit { for end in [input, sources.output, sources.errors].compactMap(\.self) { close(end) } }

    /// Sends text to the program's standard input; it goes out while this object waits.
    public func write(_ text: String) {
        unsent += Array(text.utf8)
        flush()
    }

    /// Ends the program's standard input, after what was written before.
    public func closeInput() {
        closesInput = true
        flush()
    }

    public func send(signal: Int32) { process.send(signal) }

    /// Waits until the program has written `text` to its standard output.
    ///
    /// - Returns: Whether it came in time.
    public func waitForOutput(_ text: String, within limit: Duration = .patience) -> Bool {
        wait(within: limit) { self.outputText.contains(text) }
    }

    /// Ends the input, and waits until the program has ended and everything that it wrote is read.
    public func finish(within limit: Duration = .patience) -> Result {
        closeInput()
        return waitForExit(within: limit)
    }

    /// As ``finish(within:)``, with the input left open.
    public func waitForExit(within limit: Duration = .patience) -> Result {
        _ = wait(within: limit) { self.process.exit != nil && self.sources == (nil, nil) }
        return Result(exit: process.exit, output: output, errors: errors, maxResident: process.maxResident)
    }

    /// Sends a signal again and again until the program has ended: what comes right behind another one counts as that.
    ///
    /// - Returns: As ``waitForExit(within:)``.
    public func sendUntilItEnds(signal: Int32) -> Result {
        let deadline = Deadline(within: .patience)
        while process.exit == nil, !deadline.hasPassed {
            send(signal: signal)
            _ = wait(within: .milliseconds(20)) { self.process.exit != nil }
        }
        return waitForExit()
    }

    /// Reads what the program writes until a condition holds, which is asked after each piece.
    ///
    /// - Returns: Whether it did in time.
    public func wait(within limit: Duration = .patience, until isDone: () -> Bool) -> Bool {
        let deadline = Deadline(within: limit)
        while !isDone() {
            guard !deadline.hasPassed else { return false }
            step(until: deadline)
        }
        return true
    }

    /// Waits for one thing to happen, and takes it in.
    private func step(until deadline: Deadline) {
        var waiting: [pollfd] = []
        func add(_ descriptor: Int32?, _ events: Int32) {
            waiting.append(pollfd(fd: descriptor ?? -1, events: Int16(events), revents: 0))
        }
        add(sources.output, POLLIN)
        add(sources.errors, POLLIN)
        add(process.exit == nil ? process.descriptor : nil, POLLIN)
        add(unsent.isEmpty ? nil : input, POLLOUT)
        _ = unsafe waiting.withUnsafeMutableBufferPointer {
            unsafe poll($0.baseAddress, nfds_t($0.count), deadline.milliseconds)
        }
        if waiting[0].revents != 0 { Self.read(&sources.output, into: &output) }
        if waiting[1].revents != 0 { Self.read(&sources.errors, into: &errors) }
        if waiting[2].revents != 0 { process.collect() }
        if waiting[3].revents != 0 { flush() }
    }

    private static func read(_ source: inout Int32?, into bytes: inout [UInt8]) {
        guard let descriptor = source else { return }
        let count = unsafe withUnsafeTemporaryAllocation(byteCount: 65_536, alignment: 1) { buffer in
            let count = unsafe Glibc.read(descriptor, buffer.baseAddress, buffer.count)
            if count > 0 { unsafe bytes.append(contentsOf: buffer[..<count]) }
            return count
        }
        if count == 0 {
            close(descriptor)
            source = nil
        }
    }

    private func flush() {
        guard let input else { return }
        while !unsent.isEmpty {
            let count = unsafe unsent.withUnsafeBytes { unsafe Glibc.write(input, $0.baseAddress, $0.count) }
            if count < 0, errno == EAGAIN { return }
            // The program reads no more.
            guard count > 0 else { break }
            unsent = unsent.dropFirst(count)
        }
        guard closesInput || !unsent.isEmpty else { return }
        close(input)
        self.input = nil
        unsent = []
    }

    /// Two ends that no other child inherits.
    private struct Pipe {
        let reader: Int32
        let writer: Int32

        init() {
            var (reader, writer): (Int32, Int32) = (-1, -1)
            let code = unsafe sluice_pipe(&reader, &writer)
            precondition(code == 0, "out of file descriptors for a test's pipes")
            (self.reader, self.writer) = (reader, writer)
        }
    }
}
