internal import Glibc

/// Why an origin could not start.
public struct OriginError: Error, Equatable, Sendable {
    /// What was tried, and the system's reason.
    public let message: String

    init(doing what: String) {
        let reason = unsafe String(cString: strerror(errno))
        message = "the origin could not \(what): \(reason)"
    }
}
