internal import Glibc
internal import SluiceCore

/// Writes the one body of a command to a descriptor, in place of a directory.
final class StreamStore: FileStoring {
    private let descriptor: Int32
    private let stop: OutputStop
    private var count = 0
    /// The first bytes that were written, by which a body that goes on is known.
    private var start: [UInt8] = []
    private static let startLimit = ImageFormat.reach
    /// Of all that was written, by however many transfers; `nil` where nobody compares it.
    private var sum: SHA256?

    init(descriptor: Int32, stop: OutputStop, sums: Bool) {
        (self.descriptor, self.stop) = (descriptor, stop)
        sum = sums ? SHA256() : nil
    }

    func create(_ request: FileRequest) throws(DownloadError) -> FileID? {
        if count > 0 {
            // Whoever reads it would get a body that begins again in its middle.
            throw DownloadError(.ioError, "what was written to standard output can't be taken back: run it again")
        }
        return FileID(1)
    }

    func write(_ chunk: Span<UInt8>, to file: FileID) throws(DownloadError) -> BodyFlow {
        let bytes = unsafe chunk.withUnsafeBufferPointer { unsafe Array($0) }
        guard EventWriter.writeAll(bytes, to: descriptor, stop: stop) else {
            let cause = errno
            if cause == ENOSPC || cause == EDQUOT {
                throw DownloadError(
                    .diskFull,
                    "there is no room for what standard output leads to: make room, then repeat"
                )
            }
            throw DownloadError(.ioError, "standard output was closed before the body was written")
        }
        count += chunk.count
        start += bytes.prefix(Self.startLimit - start.count)
        sum?.update(chunk)
        return .taken
    }

    func finish(_ file: FileID) throws(DownloadError) -> Bool { true }

    func descriptor(of file: FileID) throws(DownloadError) -> Int32 {
        throw DownloadError(.unsupported, "what went to standard output can't be decoded")
    }

    func publish(
        _ file: FileID,
        as publication: FilePublication,
        lastModified: Int?
    ) throws(DownloadError) -> SavedFile {
        SavedFile(path: "-", size: count, modified: 0)
    }

    /// What was written stands for the part of a file: it can be continued, but never taken back.
    func location(of file: FileID) -> PartLocation? {
        // Any time will do: no other file can take the place of a stream.
        PartLocation(directory: "-", folder: nil, name: "-", index: 0, inode: 0, born: 1)
    }

    func reopen(
        _ part: PartLocation,
        _ wish: ReopenWish,
        onExists: OnExists,
        replaces: ReplaceableFiles
    ) -> ReopenedPart? {
        // What has to be written again, or compared with what was written, is gone.
        guard count > 0, wish.overlap == 0, wish.limit.map({ count <= $0 }) ?? true else { return nil }
        return ReopenedPart(file: FileID(1), length: count, prefix: start, overlap: [])
    }

    func keepPart(_ file: FileID) {}
    func discard(_ file: FileID) {}
    func isIntact(_ file: SavedFile) -> Bool { true }

    func copier(of file: SavedFile, to request: FileRequest) -> @Sendable () -> Result<SavedFile, DownloadError> {
        { .failure(DownloadError(.unsupported, "standard output takes one body")) }
    }

    func nextNews() -> FileNews? { nil }

    var canReadBack: Bool { false }

    func sha256(of file: FileID) -> String? { sum?.hex() }
}
