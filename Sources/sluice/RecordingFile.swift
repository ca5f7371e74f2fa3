internal import Glibc
internal import SluiceCore

/// Reads a recording.
enum RecordingFile {
    /// - Throws: ``ExitStatus`` after a message that names the file, the line and what to do.
    static func read(_ path: String) throws -> Recording {
        let shown = VisibleText.visible(path)
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw complain("can't read \(shown): \(unsafe String(cString: strerror(errno)))") }
        defer { close(descriptor) }
        var reader = RecordingReader()
        var buffer = [UInt8](repeating: 0, count: 262_144)
        do throws(RecordingError) {
            while true {
                let count = unsafe Glibc.read(descriptor, &buffer, buffer.count)
                if count < 0, errno == EINTR { continue }
                guard count >= 0 else {
                    throw RecordingError(line: nil, message: unsafe String(cString: strerror(errno)))
                }
                if count == 0 { return try reader.finish() }
                try reader.add(buffer[..<count])
            }
        } catch {
            let line = error.line.map { ", line \($0)" } ?? ""
            throw complain("can't replay \(shown)\(line): \(VisibleText.visible(error.message, limit: 500))")
        }
    }
}
