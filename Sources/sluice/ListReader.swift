internal import Glibc
internal import SluiceCore
internal import SluiceTerminal

/// The requests of one list, piece by piece: the first ones are under way while the last ones are read.
///
/// A list that can't be read is known before anything is downloaded. So a file is opened, and its first piece read, when
/// the reader is made; a pipe or a device is read to its end then, since a later wait for its writer could not be
/// interrupted, and may not be too long to be held. Owns the descriptor.
final class ListReader {
    /// In bytes; a few hundred URLs.
    private static let pieceSize = 16_384

    private let path: String
    private let options: RequestOptions
    /// −1 at the end of the list.
    private var descriptor: Int32
    private var splitter = LineSplitter()
    /// Bytes that were read.
    private var size = 0
    private var buffer = [UInt8](repeating: 0, count: pieceSize)
    /// What was read and not taken yet.
    private var pieces = Queue<[DownloadRequest]>()

    /// - Parameters:
    ///   - path: Of the list.
    ///   - options: What every request of it has.
    ///   - signals: What ends the wait for the writer of a pipe; `nil` if signals end the program anyway.
    /// - Throws: ``ListFailure`` if it can't be opened or read, or is a pipe or a device that goes on and on;
    ///   ``ExitStatus/stopped`` after a message, if a signal came first.
    init(_ path: String, _ options: RequestOptions, signals: SignalWatch?) throws {
        (self.path, self.options) = (path, options)
        // To open a pipe would wait for its writer where no signal is heard.
        descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw ListFile.failure(path) }
        var status = stat()
        let isFile = unsafe fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
        repeat {
            guard isFile || PatientOpening.wait(for: descriptor, signals: signals) else {
                throw complain("stopped before \(path) was read to its end: nothing was downloaded", status: .stopped)
            }
            try read()
            guard isFile || !ListFile.isTooLong(size, lines: splitter.number) else {
                throw ListFile.failure(
                    path,
                    "what is no file is read to its end first, and this has more than \(ListFile.limits);"
                        + " -i - takes standard input as it comes"
                )
            }
        } while !isFile && descriptor >= 0
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// Takes the next requests, in the order of their lines; reads one piece at most.
    ///
    /// - Returns: None where a piece has only comments, or no end of a line; `nil` at the end of the list.
    /// - Throws: ``ListFailure`` if the rest can't be read, as on a broken disk.
    func next() throws -> [DownloadRequest]? {
        if pieces.isEmpty, descriptor >= 0 { try read() }
        return pieces.popFirst() ?? (descriptor < 0 ? nil : [])
    }

    private func read() throws {
        let count = unsafe Glibc.read(descriptor, &buffer, buffer.count)
        if count < 0, errno == EINTR || errno == EAGAIN { return }
        guard count >= 0 else { throw ListFile.failure(path) }
        size += count
        let lines = count > 0 ? splitter.add(buffer[..<count]) : splitter.end()
        if count == 0 {
            close(descriptor)
            descriptor = -1
        }
        if lines.isEmpty { return }
        pieces.append(
            lines.map { line in
                DownloadRequest(line.text, options: options, source: .list(name: path, line: line.number))
            }
        )
    }
}
