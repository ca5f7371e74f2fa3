internal import Glibc

/// What one run of a command cost.
struct Sample {
    /// Seconds.
    var wall: Double
    /// Seconds, user and system.
    var cpu: Double
    /// KiB; at least the peak of who started it, unless it was watched.
    var peakMemory: Int
    /// Voluntary context switches.
    var switches: Int
    var status: Int32
}

/// A program and its arguments, run to its end.
struct Run {
    var arguments: [String]
    /// The home folder that it sees instead of the user's, so that nothing is known from earlier runs, nor left behind.
    var home: String?

    /// Starts it, and waits for its end.
    ///
    /// - Parameters:
    ///   - expected: The exit status that it must have.
    ///   - watchesMemory: Whether its peak is read while it runs, each 2 ms: at the end, the kernel counts the memory of
    ///     who started a program as the program's own, and this one has more than some that it measures.
    /// - Returns: What it cost.
    /// - Throws: ``BenchmarkFailure`` if it can't be started or ends otherwise.
    func measure(expecting expected: Int32 = 0, watchesMemory: Bool = false) throws -> Sample {
        let started = now()
        var pid = pid_t()
        var actions = unsafe posix_spawn_file_actions_t()
        unsafe posix_spawn_file_actions_init(&actions)
        defer { unsafe posix_spawn_file_actions_destroy(&actions) }
        unsafe posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        unsafe posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0)
        var pointers: [UnsafeMutablePointer<CChar>?] = unsafe arguments.map { unsafe strdup($0) } + [nil]
        var surroundings: [UnsafeMutablePointer<CChar>?] = unsafe environment.map { unsafe strdup($0) } + [nil]
        defer {
            for index in unsafe pointers.indices { unsafe free(pointers[index]) }
            for index in unsafe surroundings.indices { unsafe free(surroundings[index]) }
        }
        guard unsafe posix_spawnp(&pid, arguments[0], &actions, nil, &pointers, &surroundings) == 0 else {
            throw BenchmarkFailure(message: "can't start \(arguments[0]); is it installed?")
        }
        var status: Int32 = 0
        var usage = rusage()
        var peak = 0
        if watchesMemory {
            let figures = ProcessFigures(pid: pid)
            while unsafe wait4(pid, &status, WNOHANG, &usage) == 0 {
                peak = max(peak, figures.peakResident)
                _ = poll(nil, 0, 2)
            }
        } else {
            while unsafe wait4(pid, &status, 0, &usage) < 0, errno == EINTR {}
        }
        guard status == expected << 8 else {
            let name = arguments.prefix(2).joined(separator: " ")
            throw BenchmarkFailure(message: "\(name) ended with wait status \(status), not exit status \(expected)")
        }
        return Sample(
            wall: now() - started,
            cpu: Run.seconds(usage.ru_utime) + Run.seconds(usage.ru_stime),
            peakMemory: watchesMemory ? peak : usage.ru_maxrss,
            switches: usage.ru_nvcsw,
            status: status
        )
    }

    /// The variables of this process, but those of the home folder.
    private var environment: [String] {
        var variables: [String] = []
        var next = unsafe environ
        while let variable = unsafe next.pointee {
            unsafe variables.append(String(cString: variable))
            unsafe next += 1
        }
        guard let home else { return variables }
        return variables.filter { !$0.hasPrefix("HOME=") && !$0.hasPrefix("XDG_") } + ["HOME=\(home)"]
    }

    private static func seconds(_ time: timeval) -> Double { Double(time.tv_sec) + Double(time.tv_usec) / 1e6 }
}
