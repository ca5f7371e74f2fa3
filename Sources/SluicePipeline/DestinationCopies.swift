internal import SluiceCore

/// The copies of one saved body, for receipts whose destination is not the one it was saved to.
///
/// One is made after the other, on a thread of the pool: however long that takes, it stops no transfer.
struct DestinationCopies {
    /// What goes on when all are made.
    enum Next {
        /// A task ends whose body the network brought.
        case transfer(TransferID, DecodedImage?)
        /// A task ends whose body the HTTP cache had.
        case answer(serial: Int, DecodedImage?)
        /// A task ends whose body was saved before, and that asked nobody.
        case earlierSave
    }

    /// Tells these copies from earlier ones of the same task.
    let serial: Int
    let source: SavedFile
    /// The destination that the source was saved for; `nil` is its usual name.
    let name: String?
    /// What the source is usually called, where that is known.
    let usualName: String?
    let next: Next
    /// By destination.
    var made: [String: SavedFile] = [:]
    /// The destinations that got none, which a warning said.
    var refused: Set<String> = []
}

/// What a thread of the pool has to tell of a copy.
struct CopyNews: Sendable {
    let task: TaskID
    let key: MergeKey
    let serial: Int
    let destination: String
    /// What was known of the key before, and so is the user's, however it is now.
    let known: [SavedFile]
    let result: Result<SavedFile, DownloadError>
}
