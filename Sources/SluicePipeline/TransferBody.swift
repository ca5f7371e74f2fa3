internal import SluiceCore

/// Takes the body of one transfer: judges it by its first bytes, then saves, keeps or drops it.
///
/// Confined to the loop's thread. Never opens a file for an answer that is refused,
/// and never holds more than one block of a body that is saved. Its state is changed by its own files alone,
/// and what every piece touches is checked for exclusive access in debug builds only.
final class TransferBody: BodySink {
    enum Mode {
        /// Too few bytes to judge; they are in `pending`.
        case undecided
        /// Keeps the first 4 KiB of a refused answer.
        case refused
        case file(FileID)
        case memory
        /// Kept in memory only to be stored.
        case kept
        /// Counts only.
        case dropped
        /// The part was the whole already; what comes is no part of it.
        case complete(FileID)
    }

    /// Why a body that was to be saved has no file.
    enum NoFile {
        /// The name is taken, and such requests are skipped. Valid next states: `.left`.
        case skipped
        /// Skipped, and the rest was left with the origin, since nobody wants its bytes; the transfer's end is no failure.
        case left
        /// It could not be made.
        case notMade
    }

    /// What became of the part that the request asked to continue.
    enum PartFate: Equatable {
        /// There was none, nobody knows yet, or it is continued. All others may follow, which are final.
        case open
        /// It was of an older version, or nobody knows of which: its record goes.
        case dropped
        /// It was of no use, and the answer is of none either: then all of it must be asked for.
        case mustAskAgain(reason: String)
        /// The origin does not continue what can't be taken back.
        case notContinued
    }

    /// Bytes after which the kind of a body is known.
    static let prefixLength = 512
    /// Bytes of a refused answer that are kept.
    static let refusedLimit = 4096
    /// Bytes after which a body that nobody wants is given up.
    static let uselessLimit = 1_048_576

    #if !DEBUG
    @safe @exclusivity(unchecked)
    #endif
    private(set) var wishes: Wishes
    var noFile: NoFile?
    /// The names that were taken, where such requests are skipped; `nil` is the usual one.
    private(set) var skipped: Set<ExactText?> = []
    /// How many of the other names had their turn.
    private var othersTried = 0
    let files: (any FileStoring)?
    #if !DEBUG
    @safe @exclusivity(unchecked)
    #endif
    var mode = Mode.undecided
    /// What is not written yet: the prefix, or a chunk that waits for room.
    #if !DEBUG
    @safe @exclusivity(unchecked)
    #endif
    var pending: [UInt8] = []
    private(set) var head: ResponseHead?
    /// The whole body, where it is kept in memory.
    #if !DEBUG
    @safe @exclusivity(unchecked)
    #endif
    var bytes: [UInt8] = []
    /// Decoded bytes so far.
    #if !DEBUG
    @safe @exclusivity(unchecked)
    #endif
    var count = 0
    var format: ImageFormat?
    /// From the first bytes, without decoding.
    var info: ImageInfo?
    /// Whether it is called an image, and its first bytes are those of a page.
    var isPage = false
    /// Whether it may have more frames than one.
    var mayMove = false
    /// Finds out what those don't tell; `nil` where nothing is to be found, or bytes before these did not pass by.
    #if !DEBUG
    @safe @exclusivity(unchecked)
    #endif
    var scan: ImageScan?
    var warning: String?
    /// What its file is called where no destination says otherwise; `nil` before that is decided.
    var usualName: String?
    /// Whether the HTTP cache keeps the answer; `nil` without a cache, and before the head.
    var storing: HTTPCacheRules.Storing?
    /// Whether no unsafe request may have changed what it is of since it was asked for.
    private(set) var isCurrent = true
    /// Sums up what goes to no file.
    #if !DEBUG
    @safe @exclusivity(unchecked)
    #endif
    var sum: SHA256?
    /// The part that the request asked to continue; `nil` once the answer showed that it can't be.
    var resumption: Resumption?
    /// Bytes that were there before this transfer, once the answer continues them.
    var offset = 0
    /// Bytes of the whole, where this answer brings only the rest.
    var resumedTotal: Int?
    /// What must be equal to the start of what comes, for the part to be continued.
    var overlap: [UInt8] = []
    /// The first bytes of a part that was too short to tell its kind, and of what continues it; else empty.
    var start: [UInt8] = []
    var partFate = PartFate.open
    /// Whether it was refused for `maxFileSize`, and not for what it is.
    var exceedsFileSize = false

    /// Whether its bytes come from the HTTP cache, which ends no transfer early.
    let isStored: Bool

    init(
        _ wishes: consuming Wishes,
        files: (any FileStoring)?,
        resuming resumption: Resumption? = nil,
        isStored: Bool = false
    ) {
        self.isStored = isStored
        sum = wishes.sha256 == nil ? nil : SHA256()
        self.wishes = wishes
        (self.files, self.resumption) = (files, resumption)
    }

    /// The sum of a body that is in no file that could be read back.
    var sha256: String? { file.map { files?.sha256(of: $0) } ?? sum?.hex() }

    /// The part file, open for as long as the store is not told otherwise.
    var file: FileID? {
        switch mode {
        case .file(let file), .complete(let file): file
        case .undecided, .refused, .memory, .kept, .dropped: resumption?.part.file
        }
    }

    /// Bytes that its file has, or will have once they are written; `nil` where nothing was written to it.
    ///
    /// What is compared before a part is continued is in the file all the while.
    var fileLength: Int? { if case .file = mode { max(count, offset + overlap.count) } else { nil } }

    /// Whether it gets no file, because the name is taken and such requests are skipped.
    var hasSkipped: Bool { noFile == .skipped || noFile == .left }

    /// Whether the record of the part that it continued must go.
    var hasDroppedPart: Bool {
        switch partFate {
        case .dropped, .mustAskAgain: true
        case .open, .notContinued: false
        }
    }

    var isDecided: Bool {
        if case .undecided = mode { false } else { true }
    }

    /// Whether bytes of it went where they can't be taken back, so that it can't begin anew.
    var hasGone: Bool { file != nil && !wishes.keepsFiles && (count > 0 || resumption != nil) }

    /// Whether a later transfer can continue it, though it can't begin anew.
    var canBeContinued: Bool {
        guard partFate != .notContinued, total.map({ count < $0 }) ?? true else { return false }
        return validator.map { Self.leastCount($0) == 1 } ?? false
    }

    /// Whether the status is no success.
    var isRefused: Bool {
        if case .refused = mode { true } else { false }
    }

    /// Whether the body, once complete, may fill a cache: memory with its image, or the HTTP cache.
    ///
    /// - Parameters:
    ///   - imageCapacity: Of the memory cache, in bytes; 0 means no limit.
    ///   - responseCapacity: Of the HTTP cache, in bytes; 0 means no limit.
    /// - Returns: `false` as soon as the request, or what came, shows that neither may.
    func mayFillCache(imageCapacity: Int, responseCapacity: Int) -> Bool {
        guard wishes.mayCache else { return false }
        guard let head else { return wishes.decodes || wishes.cacheRequest != nil && wishes.whyNotStored == nil }
        // What comes packed has another size than it says.
        let size = max(count, head.isEncoded ? 0 : head.expected ?? 0)
        if storing?.isStored == true, responseCapacity == 0 || size <= responseCapacity { return true }
        if size > ImagePipeline.decodeLimit { return false }
        if let info, imageCapacity > 0, info.height > 0, info.width > imageCapacity / 4 / info.height { return false }
        if isDecided { return isToBeDecoded }
        return wishes.decodes && mayBecomeImage
    }

    /// Decodes the image though that was not wished for at first.
    ///
    /// - Returns: Whether its bytes will be there.
    func decodesAfterAll() -> Bool {
        if wishes.decodes { return true }
        guard !hasSkipped, wishes.saves || !isDecided else { return false }
        wishes.decodes = true
        return true
    }

    func goElsewhere(_ place: Place) { wishes.place = place }

    /// Takes the next name that somebody wants, since the one before is taken and such requests are skipped.
    ///
    /// - Returns: Whether there is one.
    func goElsewhereThanSkipped() -> Bool {
        skipped.insert(wishes.name.map(ExactText.init))
        while othersTried < wishes.otherNames.count {
            let next = wishes.otherNames[othersTried]
            othersTried += 1
            guard !skipped.contains(next.map(ExactText.init)) else { continue }
            wishes.name = next
            return true
        }
        return false
    }

    /// Saves the body though that was not wished for at first, or under another name where that is taken.
    ///
    /// - Parameter name: The destination that the request wants.
    /// - Returns: Whether all of its bytes will be there for that.
    func savesAfterAll(_ name: String?) -> Bool {
        if wishes.saves, !hasSkipped || skipped.contains(name.map(ExactText.init)) {
            wishes.otherNames.append(name)
            return true
        }
        switch mode {
        case .undecided, .memory, .kept: (wishes.saves, wishes.name, noFile) = (files != nil, name, nil)
        case .refused, .file, .dropped, .complete: return false
        }
        return wishes.saves
    }

    /// Somebody wants the body in the caches alone.
    func noteUnsavedWish() { wishes.areAllSaved = false }

    /// Nobody wants what stands at its place replaced any more.
    func overwriteNothing() { if wishes.onExists == .overwrite { wishes.onExists = .rename } }

    /// Keeps the answer out of the HTTP cache from now on.
    func forbidStoring(_ why: HTTPCacheWhy) {
        if case .overtaken = why { isCurrent = false }
        if wishes.whyNotStored == nil { wishes.whyNotStored = why }
        if storing?.isStored == true { storing = .skip(why: why) }
    }

    /// Takes limits that were changed on the way; see ``judgeAnew()``.
    func limit(fileSize: Int, pixels: Int, acceptsOnlyImages: Bool) {
        (wishes.maxFileSize, wishes.maxPixels) = (fileSize, pixels)
        wishes.acceptsOnlyImages = acceptsOnlyImages
    }

    /// Whether the body waits in memory for the file that was wished for late.
    var isUnsaved: Bool {
        guard wishes.saves, !wishes.isHead else { return false }
        return switch mode {
        case .memory, .kept: !hasSkipped
        case .undecided, .refused, .file, .dropped, .complete: false
        }
    }

    func begin(_ head: ResponseHead) throws(DownloadError) {
        self.head = head
        if head.status == 304, wishes.isConditional {
            mode = .dropped
            return
        }
        if let resumption, try resume(resumption, head) {
            judgeStoring(whole(head))
            // No byte of an answer that said so may be stored, whatever the one says that brought the rest.
            if resumption.first.map({ CacheControl($0).forbidsStoring }) == true { forbidStoring(.noStore) }
            return
        }
        judgeStoring(head)
        let isPartial = head.status == 304 || head.status == 206
        if isPartial, !wishes.allowsPartial {
            throw DownloadError(.badResponse, "the server answered \(head.status), which was not asked for; try again")
        }
        guard (200...299).contains(head.status) || isPartial else {
            mode = .refused
            return
        }
        // Nothing changed, which is no body to save; nor is what was only asked about.
        if head.status == 304 || wishes.isHead { mode = .dropped }
        if wishes.isHead { return }
        if wishes.maxFileSize > 0, let expected = head.expected, expected > wishes.maxFileSize {
            throw tooLarge(expected)
        }
        try checkSpace()
    }

    private func judgeStoring(_ head: ResponseHead) {
        guard let request = wishes.cacheRequest else { return }
        storing = HTTPCacheRules.storing(head, for: request, requestTime: 0, responseTime: 0)
        if let why = wishes.whyNotStored { forbidStoring(why) }
    }

    /// Takes the end of the body.
    ///
    /// - Returns: Whether all of it is where it belongs; else the file store has news soon, and this is called again.
    func complete() throws(DownloadError) -> Bool {
        if case .refused = mode { throw refusal() }
        if case .undecided = mode { try decideByPending() }
        try saveLate()
        guard try flush() else { return false }
        if wishes.isHead { return true }
        if wishes.acceptsOnlyImages, format == nil, head?.status != 304 { throw isCalledImage ? noImage : notAccepted }
        if format == nil, saysImage || isPageForImage {
            throw DownloadError(.badImage, "the server calls it \(shownType), but its bytes are no such image")
        }
        info = scan?.info ?? info
        try judgeDimensions()
        if let resumedTotal, count < resumedTotal {
            throw DownloadError(.truncated, "the server sent a part that ends after \(count) of \(resumedTotal) bytes")
        }
        guard let file, let files else { return true }
        return try files.finish(file)
    }

    /// Writes what is pending; false while there is no room.
    func flush() throws(DownloadError) -> Bool {
        guard !pending.isEmpty, case .file(let file) = mode, let files else { return true }
        let waiting = pending
        guard try files.write(waiting.span, to: file) == .taken else { return false }
        pending = []
        return true
    }
}
