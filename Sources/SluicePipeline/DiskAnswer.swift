internal import SluiceCore

/// What answers a task instead of a new body, and why it may.
struct StoredAnswer {
    let response: StoredResponse
    /// How events call it.
    let source: AnswerSource
    /// For the event of the cache.
    let why: HTTPCacheWhy
    /// In seconds.
    let age: Int
    /// Whether the origin is asked behind it.
    var revalidates = false
    /// Whether it goes once this task is answered, since the origin says now that it must not be stored.
    var isLast = false
    /// Whether an event told that it answers: once for each task, however often its body is read.
    var isTold = false
}

/// One task that gets its body from the HTTP cache: what is read, judged, saved and decoded.
///
/// The bytes go through a ``TransferBody``, as those of the network do, so that both are
/// judged, named and written alike. A class, since it changes with every block. Confined
/// to the pipeline's turn.
final class DiskAnswer {
    enum Step {
        /// Blocks arrive.
        case reading
        /// All arrived; the writer thread is not done.
        case writing
        case decoding
        /// Saved; a thread of the pool copies it for receipts with destinations of their own.
        case copying
    }

    let task: TaskID
    /// Tells this answer from an earlier one of the same task.
    let serial: Int
    /// The slot that it holds, after the origin was asked; `nil` for an answering task.
    let transfer: TransferID?
    var stored: StoredAnswer
    let body: TransferBody
    /// The file that the user has already.
    let known: SavedFile?
    /// Whether an earlier session saved that, so that its bytes say what it is.
    var isUnseen: Bool
    var step = Step.reading
    /// The file that this answer made.
    var published: SavedFile?
    /// Whether that is one that was there already with the same bytes.
    var isPublishedUnchanged = false
    /// What the image was scaled to so far.
    var thumbnails: [ThumbnailSize: DecodedImage] = [:]
    /// Bytes that wait for room, and whether they are the last ones.
    var pending: (bytes: [UInt8], reader: StoredBodyReader?)?
    /// The whole body, where one block was all of it.
    var whole: [UInt8]?

    init(
        _ task: TaskID,
        serial: Int,
        transfer: TransferID?,
        _ stored: StoredAnswer,
        body: TransferBody,
        known: SavedFile?,
        isUnseen: Bool
    ) {
        (self.task, self.serial, self.transfer, self.stored) = (task, serial, transfer, stored)
        (self.body, self.known, self.isUnseen) = (body, known, isUnseen)
    }

    var response: StoredResponse { stored.response }
}
