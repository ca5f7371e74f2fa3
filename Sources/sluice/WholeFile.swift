internal import Glibc

/// Reads a file of the user's as a whole; for small ones, before anything runs.
enum WholeFile {
    /// Why it can't be read; `text` is the system's sentence.
    struct Failure: Error {
        let isMissing: Bool
        let text: String

        fileprivate init(_ code: Int32) {
            isMissing = code == ENOENT || code == ENOTDIR
            text = unsafe String(cString: strerror(code))
        }
    }

    static func read(_ path: String) throws(Failure) -> [UInt8] {
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
            bytes += buffer[..<count]
        }
    }
}
