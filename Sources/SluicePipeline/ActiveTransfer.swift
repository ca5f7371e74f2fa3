internal import SluiceCore

/// What the pipeline knows of one task that holds a slot.
///
/// A class, since it is looked at many times a transfer and a copy would retain every
/// string of the answer's head. Confined to the pipeline's turn.
final class ActiveTransfer {
    enum Step {
        /// Bytes arrive.
        case receiving
        /// The network is done; the writer thread is not.
        case writing
        case decoding
        /// Complete; it gets its name once that is known to outlive the process.
        case publishing
        /// Complete; the writer thread makes its file.
        case saving
        /// Saved; a thread of the pool copies it for receipts with destinations of their own.
        case copying
        /// The host had no address, and a thread asks whether it may have one later.
        case lookingUp
        /// Aborted or paused: nothing of it counts any more.
        case abandoned
    }

    let task: TaskID
    /// Also when the task is gone.
    let key: MergeKey
    let body: TransferBody
    let started: Timestamp
    var step = Step.receiving
    var head: ResponseHead?
    /// Set when the transport let go.
    var end: EndedTransfer?
    /// When that was.
    var networkEnded: Timestamp?
    /// When its image was decoded; scaling it counts too.
    private(set) var decoding: TaskFacts.Decoding?
    var meter = TransferMeter()
    /// What had arrived when it was stopped, which the transport forgets before it tells; `nil` if it was not.
    var stoppedAt: Int?
    /// Whether whoever left it last, and so detached it, was a picture on screen.
    var isLeftByView = false
    /// A receipt that wants a file joined after the transfer began without one.
    var mustFetchAgain = false
    /// A receipt that wants an image joined when the body was on its way to its file, or there, and not decoded.
    var mustDecode = false
    /// Its file, once it has its name.
    var published: SavedFile?
    /// Where the HTTP cache will find the file that is being made.
    var reserved: ReservedBody?
    /// The part that is recorded as kept.
    var keptPart: PartLocation?
    /// The part that an earlier transfer left, and this one opened.
    var continued: PartRecord?
    /// When the bytes that collect in memory were last written.
    var flushed: Timestamp
    /// What the image was scaled to so far.
    var thumbnails: [ThumbnailSize: DecodedImage] = [:]
    var reported: (received: Int, at: Timestamp)?
    /// Its answer set the first cookie of all, so that it was asked for without any.
    var setsFirstCookie = false
    /// What the origin is asked about what is stored.
    var question: Boxed<OriginQuestion>?
    /// What the origin said still holds, with its news; `nil` if it spoke of another response.
    var validated: Boxed<StoredResponse>?
    /// In milliseconds since 1970.
    var requestTime: Int64 = 0
    /// When the head arrived, in milliseconds since 1970.
    var responseTime: Int64 = 0

    init(task: TaskID, key: MergeKey, body: TransferBody, started: Timestamp) {
        (self.task, self.key, self.body, self.started) = (task, key, body, started)
        flushed = started
    }

    /// Whether the origin is asked if what is stored still holds.
    var isValidating: Bool { question != nil && question?.value.validating != nil }

    /// Whether the server answered; avoids copying the head.
    var hasHead: Bool {
        if case .none = head { false } else { true }
    }

    /// Bytes of the body that comes, where that is known: the answer to a HEAD has none, whatever it announces.
    var expected: Int? { body.wishes.isHead ? nil : head?.expected }

    /// Whether what came has a sum: a head alone, and the word that nothing changed, are no body.
    var hasBodyToSum: Bool { !body.wishes.isHead && head?.status != 304 }

    /// Bytes of the body that are there when a transport has brought `received`.
    func position(received: Int) -> Int { body.offset + received }

    /// Whether a body is the file that it made, and no copy.
    func isPublished(_ body: ResponseBody) -> Bool {
        guard case .file(let file) = body else { return false }
        return file == published
    }

    /// A job of the pool begins to make an image of the body.
    func beginDecoding(_ now: Timestamp) {
        // One that is made once more, for somebody who joined, is one long decoding.
        decoding = TaskFacts.Decoding(began: decoding?.began ?? now)
    }

    func endDecoding(_ now: Timestamp) { decoding?.ended = now }

    /// Where the time of its task went, which ends now.
    ///
    /// - Returns: `nil` while the transport has not let go.
    func timings(submitted: Timestamp, saves: Bool, now: Timestamp) -> TaskEnd.Timings? {
        guard let end, let networkEnded else { return nil }
        var timings = TaskEnd.Timings(queued: started - submitted, transfer: end.timings)
        timings.decode = decoding.map { max(.zero, ($0.ended ?? now) - $0.began) }
        if saves { timings.save = max(.zero, now - networkEnded - (timings.decode ?? .zero)) }
        return timings
    }

    /// A receipt joined, which may want more than the transfer was started for.
    func joined(_ options: RequestOptions, saves: Bool) {
        if !options.stores { body.forbidStoring(.forbidden) }
        if !saves {
            body.noteUnsavedWish()
        } else if !body.savesAfterAll(options.destination) {
            mustFetchAgain = true
        }
        guard options.thumbnail != nil else { return }
        let wasToBeDecoded = body.wishes.decodes
        if !body.decodesAfterAll() {
            mustFetchAgain = true
        } else if !wasToBeDecoded, step == .saving || step == .copying {
            mustDecode = true
        }
    }
}
