internal import SluiceCore

/// What other threads sent to the pipeline since its last turn, each kind in order.
struct Inbox: Sendable {
    enum Order: Sendable {
        case command(PipelineCommand)
        case submit(DownloadRequest, @Sendable (RequestOutcome) -> Void)
        case query(PipelineQuery, @Sendable (PipelineReply) -> Void)
    }

    /// Whether nobody will look into it any more.
    var isClosed = false
    /// What was asked for, in the order sent.
    var orders: [Order] = []
    var decoded: [(transfer: TransferID, result: Result<DecodedImage, DownloadError>)] = []
    var scaled: [(transfer: TransferID, image: DecodedImage, thumbnails: [ThumbnailSize: DecodedImage])] = []
    var lookedUp: [(host: String, isTemporary: Bool)] = []
    var summed: [(transfer: TransferID, result: Result<String, DownloadError>)] = []
    var copied: [CopyNews] = []
    /// Made for who joined while an earlier save was copied.
    var scaledBeside: [(task: TaskID, serial: Int, thumbnails: [ThumbnailSize: DecodedImage])] = []
    /// What was read of stored bodies, and what was decoded of them.
    var answers: [StoredBodyNews] = []
    /// Views that want the picture of a saved file.
    var savedReads: [SavedRead] = []
    /// The sketch that ran has ended.
    var hasSketched = false
    var deleted: [(key: MergeKey, file: SavedFile, error: DownloadError?)] = []
    var finishes = false
    var remembered: RememberedState?
    /// The number of the last changes that are safe.
    var savedState = 0
    /// Why they are not; of the last ones.
    var stateProblem: StateProblem?

    typealias SavedRead = (url: String, completion: @Sendable (Result<DecodedImage, DownloadError>) -> Void)

    var isEmpty: Bool {
        orders.isEmpty && decoded.isEmpty && scaled.isEmpty && lookedUp.isEmpty && summed.isEmpty && copied.isEmpty
            && scaledBeside.isEmpty && answers.isEmpty && savedReads.isEmpty && deleted.isEmpty && !hasSketched
            && !finishes && remembered == nil && savedState == 0
    }
}
