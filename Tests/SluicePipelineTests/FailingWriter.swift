import SluiceCore

/// A directory whose writer fails once so many bytes were handed to it.
final class FailingWriter: FileStoring {
    private let limit: Int
    private var count = 0
    private var hasFailed = false

    init(after limit: Int) { self.limit = limit }

    func create(_ request: FileRequest) throws(DownloadError) -> FileID? { FileID(1) }
    func write(_ chunk: Span<UInt8>, to file: FileID) throws(DownloadError) -> BodyFlow {
        count += chunk.count
        return .taken
    }
    func finish(_ file: FileID) throws(DownloadError) -> Bool { true }
    func descriptor(of file: FileID) throws(DownloadError) -> Int32 { throw Self.error }

    func publish(
        _ file: FileID,
        as publication: FilePublication,
        lastModified: Int?
    ) throws(DownloadError) -> SavedFile {
        throw Self.error
    }

    func keepPart(_ file: FileID) {}
    func discard(_ file: FileID) {}
    func isIntact(_ file: SavedFile) -> Bool { false }
    func copier(of file: SavedFile, to request: FileRequest) -> @Sendable () -> Result<SavedFile, DownloadError> {
        { .failure(Self.error) }
    }

    func nextNews() -> FileNews? {
        guard count >= limit, !hasFailed else { return nil }
        hasFailed = true
        return .failed(FileID(1), Self.error)
    }

    private static let error = DownloadError(.ioError, "can't write here")
}
