internal import CLinux
internal import Glibc
internal import SluiceCore
internal import SluiceSystem

/// Reads a stored body block by block, on threads of the pool, one at a time.
struct StoredBodyReader: Sendable {
    static let blockSize = 262_144

    let descriptor: Int32
    let size: Int
    var offset = 0

    /// Opens a body.
    ///
    /// - Parameters:
    ///   - place: Where it is; bytes have no reader.
    ///   - size: What it must have.
    /// - Returns: A reader, or why the body can't be used; ``HTTPCacheWhy/unreadable`` if that may pass.
    static func open(_ place: ResponseBodyPlace, size: Int) -> (reader: StoredBodyReader?, why: HTTPCacheWhy) {
        switch place {
        case .bytes: return (nil, .bodyGone)
        case .descriptor(let descriptor):
            let copy = sluice_duplicate(descriptor)
            return (copy < 0 ? nil : StoredBodyReader(descriptor: copy, size: size), .unreadable)
        case .file(let file):
            // A pipe in its place would wait for somebody who writes.
            let descriptor = unsafe Glibc.open(file.path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
            guard descriptor >= 0 else {
                // Out of descriptors or memory: the body is as good as before.
                return (nil, [ENOENT, ELOOP, ENOTDIR].contains(errno) ? .bodyGone : .unreadable)
            }
            // What is not stored yet is read where it was saved, and another body may have that name by now.
            if file.size == size, FileStatus(descriptor)?.isSame(as: file) == true {
                return (StoredBodyReader(descriptor: descriptor, size: size), .bodyGone)
            }
            Glibc.close(descriptor)
            return (nil, .changed)
        }
    }

    /// Reads the next block; closes the file behind the last one, and on failure.
    mutating func next() -> StoredBodyNews.Result {
        let wanted = min(Self.blockSize, size - offset)
        let bytes = FileBytes.read(descriptor, wanted, at: offset)
        guard bytes.count == wanted else {
            close()
            return .unusable(.bodyGone)
        }
        offset += wanted
        guard offset >= size else { return .block(bytes, self) }
        close()
        return .block(bytes, nil)
    }

    func close() { Glibc.close(descriptor) }
}

/// What a thread of the pool has to tell of an answer from disk.
struct StoredBodyNews: Sendable {
    enum Result: Sendable {
        /// The next bytes, and who reads on; `nil` behind the last ones.
        case block([UInt8], StoredBodyReader?)
        /// The stored body is not what was stored.
        case unusable(HTTPCacheWhy)
        case decoded(Swift.Result<DecodedImage, DownloadError>)
        case scaled(DecodedImage, [ThumbnailSize: DecodedImage])
    }
    let task: TaskID
    let serial: Int
    let result: Result
}
