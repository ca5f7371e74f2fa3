import SluiceCore

/// A directory on a disk that is full.
final class FullDisk: FileStoring {
    private static let error = DownloadError(.diskFull, "no space is left")

    func create(_ request: FileRequest) throws(DownloadError) -> FileID? { throw Self.error }
    func write(_ chunk: Span<UInt8>, to file: FileID) throws(DownloadError) -> BodyFlow { throw Self.error }
    func finish(_ file: FileID) throws(DownloadError) -> Bool { throw Self.error }
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
    func nextNews() -> FileNews? { nil }
    func freeSpace(in folder: String?) -> Int? { 0 }
}
