internal import CLinux
internal import Glibc
internal import SluiceCore

/// The list of URLs on standard input, as its lines come.
struct StandardInputList {
    /// What one read brought.
    struct Batch {
        /// Of every line that is complete, in order.
        let requests: [DownloadRequest]
        /// Whether nothing follows.
        let isLast: Bool
        /// Why what follows can't be read.
        let failure: ListFailure?
    }

    /// Why standard input can be no list, as far as that shows before it is read; `nil` if it may be one.
    static var fault: String? {
        if sluice_was_closed(STDIN_FILENO) != 0 { return "is closed" }
        if fcntl(STDIN_FILENO, F_GETFL) & O_ACCMODE == O_WRONLY { return "can only be written" }
        var status = stat()
        guard unsafe fstat(STDIN_FILENO, &status) == 0 else { return "is closed" }
        return status.st_mode & S_IFMT == S_IFDIR ? "is a folder" : nil
    }

    /// What to say where keys come from the terminal and nobody reads what standard input was given; `nil` if that is
    /// nothing that could hold a list.
    static var unreadNote: String? {
        var status = stat()
        guard unsafe fstat(STDIN_FILENO, &status) == 0, [S_IFIFO, S_IFREG].contains(status.st_mode & S_IFMT) else {
            return nil
        }
        return "standard input is not read: 'sluice -' reads it"
    }

    private var splitter = LineSplitter()
    private var buffer = [UInt8](repeating: 0, count: 65_536)
    private let options: RequestOptions

    /// A list that nobody has read from.
    ///
    /// - Parameter options: What every request of it has.
    init(options: RequestOptions) { self.options = options }

    /// Waits until there is something to read, or a signal comes.
    func wait() {
        var watched = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
        _ = unsafe poll(&watched, 1, -1)
    }

    /// Takes what is there; waits for it, unless who opened standard input wanted that nobody does.
    ///
    /// - Returns: `nil` where a signal came first, or nothing is there; see ``wait()``.
    mutating func read() -> Batch? {
        let count = unsafe Glibc.read(STDIN_FILENO, &buffer, buffer.count)
        if count < 0, errno == EINTR || errno == EAGAIN { return nil }
        let failure = count < 0 ? ListFile.failure("on standard input") : nil
        let lines = count > 0 ? splitter.add(buffer[..<count]) : splitter.end()
        let requests = lines.map { line in
            DownloadRequest(line.text, options: options, source: .standardInput(line: line.number))
        }
        return Batch(requests: requests, isLast: count <= 0, failure: failure)
    }
}
