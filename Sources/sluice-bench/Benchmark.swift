internal import ArgumentParser
internal import Glibc

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
        subcommands: [TransfersBenchmark.self, MemoryBenchmark.self]
    )
}

/// What one run of a command cost.
struct Sample {
    /// Seconds.
    var wall: Double
    /// Seconds, user and system.
    var cpu: Double
    /// KiB.
    var peakMemory: Int
    /// Voluntary context switches.
    var switches: Int
    var status: Int32
}

/// A program and its arguments, run to its end.
struct Run {
    var arguments: [String]

    /// - Parameter expected: The exit status that it must have.
    /// - Throws: ``BenchmarkFailure`` if it can't be started or ends otherwise.
    func measure(expecting expected: Int32 = 0) throws -> Sample {
        let started = Run.now()
        var pid = pid_t()
        var actions = unsafe posix_spawn_file_actions_t()
        unsafe posix_spawn_file_actions_init(&actions)
        defer { unsafe posix_spawn_file_actions_destroy(&actions) }
        unsafe posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        unsafe posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0)
        var pointers: [UnsafeMutablePointer<CChar>?] = unsafe arguments.map { unsafe strdup($0) } + [nil]
        defer { unsafe pointers.forEach { unsafe free($0) } }
        guard unsafe posix_spawnp(&pid, arguments[0], &actions, nil, &pointers, environ) == 0 else {
            throw BenchmarkFailure(message: "can't start \(arguments[0]); is it installed?")
        }
        var status: Int32 = 0
        var usage = rusage()
        while unsafe wait4(pid, &status, 0, &usage) < 0, errno == EINTR {}
        guard status == expected << 8 else {
            let name = arguments.prefix(2).joined(separator: " ")
            throw BenchmarkFailure(message: "\(name) ended with wait status \(status), not exit status \(expected)")
        }
        return Sample(
            wall: Run.now() - started,
            cpu: Run.seconds(usage.ru_utime) + Run.seconds(usage.ru_stime),
            peakMemory: usage.ru_maxrss,
            switches: usage.ru_nvcsw,
            status: status
        )
    }

    static func now() -> Double {
        var time = timespec()
        unsafe clock_gettime(CLOCK_MONOTONIC, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    private static func seconds(_ time: timeval) -> Double { Double(time.tv_sec) + Double(time.tv_usec) / 1e6 }
}

struct BenchmarkFailure: Error, CustomStringConvertible {
    let message: String
    var description: String { message }
}

/// Median and spread of some figures.
struct Spread {
    let median: Double
    let least: Double
    let greatest: Double

    init(_ values: [Double]) {
        let sorted = values.sorted()
        median = sorted.isEmpty ? 0 : sorted[sorted.count / 2]
        (least, greatest) = (sorted.first ?? 0, sorted.last ?? 0)
    }
}

/// Says on what the figures were measured.
func printMachine() {
    var name = utsname()
    unsafe uname(&name)
    let release = unsafe withUnsafePointer(to: &name.release) { pointer in
        unsafe pointer.withMemoryRebound(to: CChar.self, capacity: 65) { unsafe String(cString: $0) }
    }
    let cores = sysconf(Int32(_SC_NPROCESSORS_ONLN))
    #if DEBUG
        let build = "debug (figures of a debug build mean nothing)"
    #else
        let build = "release"
    #endif
    print("machine: Linux \(release), \(cores) cores; build: \(build)")
}

/// `0.0731` with the given digits.
func fixed(_ value: Double, _ digits: Int = 3) -> String {
    var scale = 1.0
    for _ in 0..<digits { scale *= 10 }
    let scaled = Int((value * scale).rounded())
    guard digits > 0 else { return "\(scaled)" }
    let fraction = String(abs(scaled) % Int(scale))
    let padded = String(repeating: "0", count: digits - fraction.count) + fraction
    return "\(scaled < 0 ? "-" : "")\(abs(scaled) / Int(scale)).\(padded)"
}

extension String {
    /// Padded on the right to a width in characters.
    func padded(_ width: Int) -> String { self + String(repeating: " ", count: Swift.max(0, width - count)) }
}

/// The release build of sluice beside this program.
func sluicePath() -> String {
    var buffer = [CChar](repeating: 0, count: 4096)
    let count = unsafe readlink("/proc/self/exe", &buffer, buffer.count - 1)
    let path = String(decoding: buffer.prefix(max(0, count)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    return path.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/") + "/sluice"
}
