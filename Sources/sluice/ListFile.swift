internal import Glibc
internal import SluiceCore

/// Reads a whole list file.
enum ListFile {
    /// - Throws: ``ListFailure`` with a sentence that names the file.
    static func read(_ path: String) throws -> [(number: Int, text: String)] {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw failure(path) }
        defer { close(descriptor) }
        var splitter = LineSplitter()
        var lines: [(number: Int, text: String)] = []
        var buffer = [UInt8](repeating: 0, count: 262_144)
        while true {
            let count = unsafe Glibc.read(descriptor, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw failure(path) }
            if count == 0 { return lines + splitter.end() }
            lines += splitter.add(buffer[..<count])
        }
    }

    private static func failure(_ path: String) -> ListFailure {
        ListFailure(message: "can't read the list \(path): \(unsafe String(cString: strerror(errno)))")
    }
}

/// A list that can't be read; nothing is downloaded then.
struct ListFailure: Error {
    let message: String
}
