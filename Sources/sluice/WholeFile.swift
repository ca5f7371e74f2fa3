internal import Glibc

/// Reads a file of the user's as a whole; for small ones, before anything runs.
enum WholeFile {
    /// Why it can't be read; `text` is the system's sentence, or that there is too much of it.
    struct Failure: Error {
        let isMissing: Bool
        let text: String

        fileprivate init(_ code: Int32) {
            isMissing = code == ENOENT || code == ENOTDIR
            text = unsafe String(cString: strerror(code))
        }

        fileprivate init(limit: Int) {
            isMissing = false
            text = "it has more than \(limit / 1_048_576) MiB, the most that is read: name a smaller file"
        }
    }

    /// In bytes: many times what a configuration or the authorities of a system take.
    private static let usualLimit = 16_777_216

    /// Reads it to its end; what is no file, such as a device, may have none.
    ///
    /// - Parameters:
    ///   - path: As the user named it.
    ///   - limit: The most that is read, in bytes; more is a failure.
    /// - Returns: Its bytes.
    /// - Throws: Why it can't be read.
    static func read(_ path: String, limit: Int = usualLimit) throws(Failure) -> [UInt8] {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw Failure(errno) }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = unsafe Glibc.read(descriptor, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw Failure(errno) }
            if count == 0 { return bytes }
            guard bytes.count + count <= limit else { throw Failure(limit: limit) }
            bytes += buffer[..<count]
        }
    }
}
