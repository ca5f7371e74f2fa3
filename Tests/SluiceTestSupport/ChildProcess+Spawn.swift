internal import CLinux
internal import Glibc
internal import SluiceCore

extension SpawnedProcess {
    /// What is done to a new process before its program runs, in this order.
    enum FileAction {
        case open(String, as: Int32)
        case copy(Int32, as: Int32)
    }

    /// Starts a program in a session of its own, with every signal as it is by default.
    ///
    /// The first terminal that it opens becomes its controlling terminal.
    static func start(
        _ path: String,
        arguments: [String],
        environment: [String: String],
        directory: String?,
        actions: [FileAction]
    ) throws(SpawnError) -> SpawnedProcess {
        var files = unsafe posix_spawn_file_actions_t()
        var attributes = posix_spawnattr_t()
        unsafe posix_spawn_file_actions_init(&files)
        unsafe posix_spawnattr_init(&attributes)
        defer {
            unsafe posix_spawn_file_actions_destroy(&files)
            unsafe posix_spawnattr_destroy(&attributes)
        }
        unsafe sluice_spawn_afresh(&attributes)
        if let directory { unsafe sluice_spawn_in_directory(&files, directory) }
        for action in actions {
            switch action {
            case .open(let path, let descriptor):
                unsafe posix_spawn_file_actions_addopen(&files, descriptor, path, O_RDWR, 0)
            case .copy(let source, let descriptor): unsafe posix_spawn_file_actions_adddup2(&files, source, descriptor)
            }
        }
        let variables = environment.merging(ChildEnvironment.basic) { own, _ in own }.map { "\($0)=\($1)" }
        var identifier: pid_t = 0
        let code = unsafe withCStrings([path] + arguments) { arguments in
            unsafe withCStrings(variables) { variables in
                unsafe posix_spawn(&identifier, path, &files, &attributes, arguments, variables)
            }
        }
        guard code == 0 else { throw SpawnError(path: path, code: code) }
        return SpawnedProcess(identifier: identifier)
    }
}

extension ChildProcess {
    /// Whether tests and programs were built with the thread sanitizer.
    public static var isThreadSanitized: Bool { unsafe dlsym(nil, "__tsan_init") != nil }

    /// The path of a program of this package, as it was built with the tests.
    public static func product(_ name: String) -> String {
        let path = unsafe String(unsafeUninitializedCapacity: 4_096) { buffer in
            guard let base = buffer.baseAddress else { return 0 }
            return max(0, unsafe readlink("/proc/self/exe", base, buffer.count))
        }
        return path.split(separator: "/").dropLast().map { "/\($0)" }.joined() + "/\(name)"
    }
}

/// Calls `body` with a list of C strings that ends with `nil`.
private func withCStrings<Result>(
    _ strings: [String],
    _ body: (UnsafePointer<UnsafeMutablePointer<CChar>?>) -> Result
) -> Result {
    var pointers = unsafe strings.map { unsafe strdup($0) }
    unsafe pointers.append(nil)
    defer { for index in unsafe pointers.indices { unsafe free(pointers[index]) } }
    return unsafe pointers.withUnsafeBufferPointer { buffer in
        guard let base = buffer.baseAddress else { preconditionFailure("a list with its end is never empty") }
        return unsafe body(base)
    }
}
