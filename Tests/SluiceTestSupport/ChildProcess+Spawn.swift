internal import CLinux
internal import Glibc
internal import SluiceCore

/// Why a test could not start a program.
public struct SpawnError: Error, Equatable {
    public let path: String
    /// `errno` of the call that failed.
    public let code: Int32

    public init(path: String, code: Int32) { (self.path, self.code) = (path, code) }
}

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

/// What programs under test find around them.
enum ChildEnvironment {
    /// As little as possible of the environment of the tests.
    ///
    /// The backtracer is off: it would ask questions on the terminal.
    static var basic: [String: String] {
        var variables = ["LANG": "C.UTF-8", "SWIFT_BACKTRACE": "enable=no", "TERM": "xterm-256color"]
        for name in ["PATH", "HOME", "LD_LIBRARY_PATH", "TSAN_OPTIONS", "TMPDIR"] {
            guard let value = unsafe getenv(name) else { continue }
            unsafe variables[name] = String(cString: value)
        }
        return variables
    }
}

extension ChildProcess {
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
