internal import CLinux
internal import Glibc
internal import SluiceCore

/// The bytes behind a `file:` or `data:` URL, read by the pool and taken by the loop.
///
/// Reads only what is asked for, so that a slow taker bounds the memory. Follows symbolic
/// links as every reader does, and reads regular files only: a pipe would wait for ever.
final class LocalSource: Sendable {
    private struct State {
        var isOpen = false
        var descriptor: Int32 = -1
        var offset = 0
        /// Read and not taken yet; an empty one is the end.
        var block: Result<[UInt8], DownloadError>?
        /// Of a `data:` URL: all of it.
        var content: [UInt8]?
        var size: Int?
        var mediaType: String?
        var lastModified: Int?
    }

    private let url: String
    private let wake: @Sendable () -> Void
    private let state = Locked(State())

    /// - Parameters:
    ///   - url: Normalised.
    ///   - wake: Called when there is something to take, on a thread of the pool.
    init(_ url: String, wake: @escaping @Sendable () -> Void) { (self.url, self.wake) = (url, wake) }

    deinit {
        let descriptor = state.withLock { $0.descriptor }
        if descriptor >= 0 { close(descriptor) }
    }

    /// Known once something could be taken; `nil` also of a file that tells none, until its end.
    var size: Int? { state.withLock { $0.size } }
    var mediaType: String? { state.withLock { $0.mediaType } }
    /// In seconds since 1970.
    var lastModified: Int? { state.withLock { $0.lastModified } }

    /// Asks for the next bytes, at most `count`.
    func read(_ count: Int, on pool: BlockingPool) {
        pool.add(.normal) { [self] in
            let block = Result { () throws(DownloadError) in try next(count) }
            state.withLock { $0.block = block }
            wake()
        }
    }

    /// - Returns: The bytes that were asked for, none at the end, or `nil` if they are not there yet.
    func take() throws(DownloadError) -> [UInt8]? {
        let block = state.withLock { state in
            defer { state.block = nil }
            return state.block
        }
        return try block?.get()
    }

    private func next(_ count: Int) throws(DownloadError) -> [UInt8] {
        if !state.withLock({ $0.isOpen }) { try open() }
        let (descriptor, offset, content, size) = state.withLock { ($0.descriptor, $0.offset, $0.content, $0.size) }
        // A file that grows meanwhile is taken as it was; one of unknown size to its end.
        let wanted = size.map { min(count, $0 - offset) } ?? count
        guard wanted > 0 else { return [] }
        let bytes: [UInt8]
        if let content {
            bytes = Array(content[offset..<offset + wanted])
        } else {
            bytes = try read(descriptor, wanted, at: offset)
        }
        if bytes.isEmpty, let size {
            let words = "the file gave \(offset) of its \(size) bytes: it became shorter, or tells no true size"
            throw DownloadError(.ioError, words + "; try again, or name a copy of it")
        }
        state.withLock { state in
            state.offset += bytes.count
            if bytes.isEmpty { state.size = state.offset }
        }
        return bytes
    }

    private func read(_ descriptor: Int32, _ count: Int, at offset: Int) throws(DownloadError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        while true {
            let got = unsafe pread(descriptor, &bytes, count, off_t(offset))
            if got < 0, errno == EINTR { continue }
            guard got >= 0 else { throw Self.failure(url) }
            return Array(bytes.prefix(got))
        }
    }

    private func open() throws(DownloadError) {
        switch try LocalURL(url) {
        case .data(let content, let mediaType):
            state.withLock { state in
                (state.isOpen, state.content) = (true, content)
                (state.size, state.mediaType) = (content.count, mediaType)
            }
        case .file(let path):
            let text = path.map { CChar(bitPattern: $0) } + [0]
            let descriptor = unsafe Glibc.open(text, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
            guard descriptor >= 0 else { throw Self.failure(url) }
            state.withLock { $0.descriptor = descriptor }
            var status = stat()
            guard unsafe fstat(descriptor, &status) == 0 else { throw Self.failure(url) }
            guard status.st_mode & S_IFMT == S_IFREG else {
                throw DownloadError(.ioError, "\(url) is no regular file; name one that can be read to its end")
            }
            state.withLock { state in
                // What the kernel makes while it is read says 0, as what is in `/proc`.
                (state.isOpen, state.size) = (true, status.st_size > 0 ? Int(status.st_size) : nil)
                state.lastModified = Int(status.st_mtim.tv_sec)
            }
        }
    }

    private static func failure(_ url: String) -> DownloadError {
        DownloadError(.ioError, "can't read \(url): \(unsafe String(cString: strerror(errno))); check path and rights")
    }
}
