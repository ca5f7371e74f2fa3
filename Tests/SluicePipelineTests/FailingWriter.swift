import SluiceCore

/// A directory whose writer fails once so many bytes were handed to it.
final class FailingWriter: FullDisk {
    private let limit: Int
    private var count = 0
    private var hasFailed = false

    init(after limit: Int) {
        self.limit = limit
        super.init(DownloadError(.ioError, "can't write here"))
    }

    override func create(_ request: FileRequest) throws(DownloadError) -> FileID? { FileID(1) }
    override func write(_ chunk: Span<UInt8>, to file: FileID) throws(DownloadError) -> BodyFlow {
        count += chunk.count
        return .taken
    }

    override func nextNews() -> FileNews? {
        guard count >= limit, !hasFailed else { return nil }
        hasFailed = true
        return .failed(FileID(1), error)
    }
}
