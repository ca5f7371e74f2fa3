internal import SluiceCore

/// What other threads sent to the pipeline since its last turn, in the order sent.
struct Inbox: Sendable {
    /// One thing that was asked for, or came to its end on another thread.
    enum Item: Sendable {
        case command(PipelineCommand)
        case submit(DownloadRequest, RequestHandle)
        /// Such a request is taken back.
        case withdraw(RequestHandle)
        case query(PipelineQuery, @Sendable (PipelineReply) -> Void)
        /// A view wants the picture of a saved file.
        case readSaved(url: String, @Sendable (Result<DecodedImage, DownloadError>) -> Void)
        /// What earlier sessions left was read.
        case remembered(RememberedState)
        /// No more will be asked for.
        case finishWhenIdle
        case decoded(TransferID, Result<DecodedImage, DownloadError>)
        case scaled(TransferID, DecodedImage, [ThumbnailSize: DecodedImage])
        case summed(TransferID, Result<String, DownloadError>)
        case lookedUp(host: String, isTemporary: Bool)
        case copied(CopyNews)
        /// Made for who joined while an earlier save was copied.
        case scaledBeside(TaskID, serial: Int, [ThumbnailSize: DecodedImage])
        /// What was read of a stored body, or decoded of it.
        case storedBody(StoredBodyNews)
        case deleted(MergeKey, SavedFile, DownloadError?)
        /// The sketch that ran has ended.
        case sketched
    }

    /// How far the changes of the state are safe: a level, of which the last alone counts.
    ///
    /// Long commands look at it on their way, past all that was sent before it.
    struct Saved: Sendable {
        /// Of the last changes that are.
        let number: Int
        /// Why they are not; of the last ones.
        let problem: StateProblem?
    }

    /// Where the pipeline stood when it looked into it for the last time; `nil` as long as it may look again.
    var end: End?
    var items: [Item] = []
    var saved: Saved?

    /// What who comes too late is told.
    struct End: Sendable {
        /// Of the last event.
        let seq: Int
        let time: Timestamp
    }

    var isEmpty: Bool { items.isEmpty && saved == nil }
}
