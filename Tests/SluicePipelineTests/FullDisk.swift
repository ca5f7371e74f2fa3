import SluiceCore

/// A directory on a disk that takes nothing, since it is full.
class FullDisk: FileStoring {
    let error: DownloadError
    /// How often somebody looked for room.
    let looks = Locked(0)

    init(_ error: DownloadError = DownloadError(.diskFull, "no space is left")) { self.error = error }

    func create(_ request: FileRequest) throws(DownloadError) -> FileID? { throw error }
    func write(_ chunk: Span<UInt8>, to file: FileID) throws(DownloadError) -> BodyFlow { throw error }
    func finish(_ file: FileID) throws(DownloadError) -> Bool { throw error }
    func descriptor(of file: FileID) throws(DownloadError) -> Int32 { throw error }

    func publish(
        _ file: FileID,
        as publication: FilePublication,
        lastModified: Int?
    ) throws(DownloadError) -> SavedFile {
        throw error
    }

    func keepPart(_ file: FileID) {}
    func discard(_ file: FileID) {}
    func isIntact(_ file: SavedFile) -> Bool { false }
    func copier(of file: SavedFile, to request: FileRequest) -> @Sendable () -> Result<SavedFile, DownloadError> {
        { [error] in .failure(error) }
    }
    func nextNews() -> FileNews? { nil }
    func freeSpace(in folder: String?) -> Int? {
        looks.withLock { $0 += 1 }
        return 0
    }
}
