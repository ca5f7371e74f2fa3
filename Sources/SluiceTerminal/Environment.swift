internal import CLinux

/// Reads environment variables, without Foundation.
enum Environment {
    static func variable(_ name: String) -> String? {
        guard let value = unsafe getenv(name) else { return nil }
        return unsafe String(cString: value)
    }
}
