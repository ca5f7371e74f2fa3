internal import Glibc
internal import SluiceCore

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
        // A sanitizer leaves crashes to the program.
        let options = ["segv", "sigbus", "sigfpe", "sigill", "sigtrap", "abort"].map { "handle_\($0)=0" }
        variables["TSAN_OPTIONS"] = ([variables["TSAN_OPTIONS"] ?? ""] + options).joined(separator: " ")
        return variables
    }
}
