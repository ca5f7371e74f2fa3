import SluiceCore

/// A directory whose writer fails once so many bytes were handed to it.
final class FailingWriter: FullDisk {
    private let limit: Int
    private var count = 0
    private var hasFailed = false

    init(after limit: Int, _ error: DownloadError = DownloadError(.ioError, "can't write here")) {
        self.limit = limit
        super.init(error)
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
