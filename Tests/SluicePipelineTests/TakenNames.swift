import SluiceCore

/// A directory in which all names but one are taken, for requests that are skipped then.
final class TakenNames: FullDisk {
    private let free: String

    init(free: String) {
        self.free = free
        super.init(DownloadError(.ioError, "no file was made"))
    }

    override func create(_ request: FileRequest) throws(DownloadError) -> FileID? {
        request.name == free ? FileID(1) : nil
    }

    override func write(_ chunk: Span<UInt8>, to file: FileID) throws(DownloadError) -> BodyFlow { .taken }
}
