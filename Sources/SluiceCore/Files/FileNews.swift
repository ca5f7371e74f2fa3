/// What the writer of large files has to tell.
public enum FileNews: Sendable {
    /// There is room again: resume reading.
    case drained(FileID)
    /// Every byte is in the part file, after ``FileStoring/finish(_:)`` said `false`.
    case written(FileID)
    /// The file has its name, after ``FileStoring/save(_:lastModified:for:)`` said `true`; it is forgotten.
    case saved(FileID, SavedFile)
    /// Writing failed; close the file with ``FileStoring/keepPart(_:)``.
    case failed(FileID, DownloadError)

    /// Which file it is about.
    public var file: FileID {
        switch self {
        case .drained(let file), .written(let file), .saved(let file, _), .failed(let file, _): file
        }
    }
}
