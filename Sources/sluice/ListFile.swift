internal import Glibc
internal import SluiceCore
internal import SluiceUI

/// Reads a whole list file.
enum ListFile {
    /// Bytes of a list that is held as a whole.
    private static let sizeLimit = 134_217_728
    /// The same in lines: the shortest takes memory, too.
    private static let lineLimit = 4_000_000
    /// Both in words.
    static let limits = "128 MiB or 4,000,000 lines"

    /// `/dev/null`, by the numbers that Linux gives it.
    private static let nullDevice: dev_t = 0x103

    /// Whether a list is too long to be held as a whole.
    static func isTooLong(_ size: Int, lines: Int) -> Bool { size > sizeLimit || lines > lineLimit }

    /// - Throws: ``ListFailure`` with a sentence that names the file; also for one that is too long, and for a device,
    ///   which may never end.
    static func read(_ path: String) throws -> [(number: Int, text: String)] {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY)
        guard descriptor >= 0 else { throw failure(path) }
        defer { close(descriptor) }
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else { throw failure(path) }
        // One of them is known to end.
        guard status.st_mode & S_IFMT != S_IFCHR || status.st_rdev == nullDevice else {
            throw failure(path, "it is a device")
        }
        let size = status.st_mode & S_IFMT == S_IFREG ? Int(status.st_size) : 0
        var splitter = LineSplitter()
        var lines: [(number: Int, text: String)] = []
        var buffer = [UInt8](repeating: 0, count: 262_144)
        var seen = 0
        while !isTooLong(max(size, seen), lines: splitter.number) {
            let count = unsafe Glibc.read(descriptor, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw failure(path) }
            if count == 0 { return lines + splitter.end() }
            lines += splitter.add(buffer[..<count])
            seen += count
        }
        throw failure(path, "it has more than \(limits); 'sluice get -i' reads one of any size")
    }

    /// Bytes of a list that are read while its name is typed.
    private static let lookLimit = 1_048_576

    /// Counts what is in a list without reading all of a large one, and without waiting for anybody to write it.
    static func look(_ path: String) -> ListLook {
        // Before it is opened: to open a pipe lets its writer go on, and to close it ends that one.
        var status = stat()
        guard unsafe stat(path, &status) == 0 else {
            return .trouble(errno == ENOENT || errno == ENOTDIR ? "no such file" : errorText)
        }
        if status.st_mode & S_IFMT == S_IFDIR { return .trouble("a folder") }
        guard status.st_mode & S_IFMT == S_IFREG else { return .unknown }
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        guard descriptor >= 0 else { return .trouble(errorText) }
        defer { close(descriptor) }
        guard unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return .unknown }
        var splitter = LineSplitter()
        var (urls, others, seen) = (0, 0, 0)
        func count(_ lines: [(number: Int, text: String)]) {
            for line in lines {
                do throws(DownloadError) {
                    _ = try RequestURL(line.text)
                    urls += 1
                } catch {
                    others += 1
                }
            }
        }
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while seen < lookLimit {
            let size = unsafe Glibc.read(descriptor, &buffer, buffer.count)
            if size < 0, errno == EINTR { continue }
            guard size >= 0 else { return .trouble(errorText) }
            guard size > 0 else {
                count(splitter.end())
                return .lines(urls: urls, others: others, isWhole: true)
            }
            count(splitter.add(buffer[..<size]))
            seen += size
        }
        // Of a larger one, the last line may be cut.
        let isWhole = seen >= Int(status.st_size)
        if isWhole { count(splitter.end()) }
        return .lines(urls: urls, others: others, isWhole: isWhole)
    }

    private static var errorText: String { unsafe String(cString: strerror(errno)).lowercased() }

    /// What the last call of the system says of a list.
    static func failure(_ path: String) -> ListFailure { failure(path, unsafe String(cString: strerror(errno))) }

    static func failure(_ path: String, _ reason: String) -> ListFailure {
        ListFailure(message: "can't read the list \(path): \(reason)", path: path)
    }
}

/// A list that can't be read; where that shows before anything is submitted, nothing is downloaded.
struct ListFailure: Error {
    let message: String
    /// As the message names it.
    let path: String
}
