internal import SluiceCore

/// Takes the body of one transfer: judges it by its first bytes, then saves, keeps or drops it.
///
/// Confined to the loop's thread. Never opens a file for an answer that is refused,
/// and never holds more than one block of a body that is saved.
final class TransferBody: BodySink {
    private enum Mode {
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

    /// Bytes after which the kind of a body is known.
    static let prefixLength = 512
    private static let refusedLimit = 4096
    /// Decoded bytes from which a high ratio of decoded to received is a bomb.
    private static let bombThreshold = 10_485_760

    private(set) var wishes: Wishes
    /// Whether it gets no file, because the name is taken and such requests are skipped.
    private var hasSkipped = false
    private let files: (any FileStoring)?
    private var mode = Mode.undecided
    /// What is not written yet: the prefix, or a chunk that waits for room.
    private var pending: [UInt8] = []
    private(set) var head: ResponseHead?
    /// The whole body, where it is kept in memory.
    private(set) var bytes: [UInt8] = []
    /// Decoded bytes so far.
    private(set) var count = 0
    private(set) var format: ImageFormat?
    /// From the first bytes, without decoding.
    private(set) var info: ImageInfo?
    private(set) var warning: String?
    /// Whether the HTTP cache keeps the answer; `nil` without a cache, and before the head.
    private(set) var storing: HTTPCacheRules.Storing?
    /// Sums up what can't be read back.
    private var sum: SHA256?
    /// The part that the request asked to continue; `nil` once the answer showed that it can't be.
    private(set) var resumption: Resumption?
    /// Bytes that were there before this transfer, once the answer continues them.
    private(set) var offset = 0
    /// Bytes of the whole, where this answer brings only the rest.
    private(set) var resumedTotal: Int?
    /// What must be equal to the start of what comes, for the part to be continued.
    private var overlap: [UInt8] = []
    /// Why the part is of no use, and the answer neither: then all of it must be asked for.
    private(set) var mustAskAgain: String?
    /// The part was of an older version, or nobody knows of which: its record goes.
    private(set) var hasDroppedPart = false

    init(_ wishes: Wishes, files: (any FileStoring)?, resuming resumption: Resumption? = nil) {
        (self.wishes, self.files, self.resumption) = (wishes, files, resumption)
        if wishes.sha256 != nil { sum = SHA256() }
    }

    /// The sum of a body that is in no file that could be read back.
    var sha256: String? {
        if file != nil, files?.canReadBack == true { return nil }
        return sum?.hex()
    }

    /// The part file, open for as long as the store is not told otherwise.
    var file: FileID? {
        switch mode {
        case .file(let file), .complete(let file): file
        case .undecided, .refused, .memory, .kept, .dropped: resumption?.part.file
        }
    }

    /// What proves of which version the bytes in the part file are; `nil` where a later transfer can't continue them.
    var validator: EntityValidator? {
        if let resumption { return resumption.plan.part.validator }
        guard let head, head.status == 200, !head.isEncoded, wishes.mayCache, !wishes.allowsPartial else { return nil }
        return EntityValidator(head)
    }

    /// Bytes of the whole, if known.
    var total: Int? { resumption == nil ? head?.expected : resumedTotal ?? resumption?.plan.part.total }

    /// Whether it is known if the answer continues the part.
    var isAwaitingJudgement: Bool { resumption != nil && head == nil }

    var isDecided: Bool {
        if case .undecided = mode { false } else { true }
    }

    /// Whether bytes of it went where they can't be taken back, so that it can't begin anew.
    var hasGone: Bool { file != nil && count > 0 && !wishes.keepsFiles }

    /// Whether the status is no success.
    var isRefused: Bool {
        if case .refused = mode { true } else { false }
    }

    /// Whether the body, once complete, can fill the memory cache.
    var mayFillCache: Bool {
        guard isDecided else { return true }
        return wishes.decodes && format?.isDecodable == true || storing?.isStored == true
    }

    /// Decodes the image though that was not wished for at first.
    ///
    /// - Returns: Whether its bytes will be there.
    func decodesAfterAll() -> Bool {
        if wishes.decodes { return true }
        guard wishes.saves || !isDecided else { return false }
        wishes.decodes = true
        return true
    }

    /// Saves the body though that was not wished for at first.
    ///
    /// - Parameter name: The destination that the request wants.
    /// - Returns: Whether all of its bytes will be there for that.
    func savesAfterAll(_ name: String?) -> Bool {
        if wishes.saves { return true }
        switch mode {
        case .undecided, .memory, .kept: (wishes.saves, wishes.name) = (files != nil, name)
        case .refused, .file, .dropped, .complete: break
        }
        return wishes.saves
    }

    /// Whether the body waits in memory for the file that was wished for late.
    var isUnsaved: Bool {
        guard wishes.saves, !wishes.isHead else { return false }
        return switch mode {
        case .memory, .kept: !hasSkipped
        case .undecided, .refused, .file, .dropped, .complete: false
        }
    }

    /// Opens the file of a body that was collected in memory first.
    private func saveLate() throws(DownloadError) {
        guard isUnsaved, let files else { return }
        let before = mode
        // A copy shares its bytes, and may be looked at while this object changes.
        let whole = bytes
        try openFile(files, isHTML: format == nil && ImageFormat.looksLikeHTML(whole.span))
        if case .file = mode { (pending, bytes) = (whole, []) } else { mode = before }
    }

    func begin(_ head: ResponseHead) throws(DownloadError) {
        self.head = head
        if head.status == 304, wishes.isConditional {
            mode = .dropped
            return
        }
        if let resumption, try resume(resumption, head) {
            judgeStoring(whole(head))
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
    }

    /// Continues the part if the answer does.
    ///
    /// - Returns: Whether all about this head is said.
    private func resume(_ resumption: Resumption, _ head: ResponseHead) throws(DownloadError) -> Bool {
        let part = resumption.part
        switch resumption.plan.judge(head) {
        case .append(let total):
            (mode, offset, count, resumedTotal) = (.file(part.file), part.length, part.length, total)
            overlap = part.overlap
            look(at: part.prefix.span)
            if wishes.maxFileSize > 0, let total, total > wishes.maxFileSize { throw tooLarge(total) }
            return true
        case .complete:
            (mode, offset, count, resumedTotal) = (.complete(part.file), part.length, part.length, part.length)
            look(at: part.prefix.span)
            return true
        case .startOver:
            dropPart()
            return false
        case .askAgain(let reason):
            throw askAgain(reason)
        case .unrelated:
            return false
        }
    }

    private func judgeStoring(_ head: ResponseHead) {
        guard let request = wishes.cacheRequest else { return }
        storing = HTTPCacheRules.storing(head, for: request, requestTime: 0, responseTime: 0)
    }

    /// The head that the whole would have had, of which this answer brought the rest.
    ///
    /// An answer that leaves out what the first one said describes no whole.
    private func whole(_ head: ResponseHead) -> ResponseHead {
        guard head.contentType != nil else { return head }
        var whole = head
        whole.status = 200
        whole.fields.removeAll { $0.isNamed("content-range") || $0.isNamed("content-length") }
        return whole
    }

    private func dropPart() {
        guard let file else { return }
        files?.discard(file)
        (resumption, hasDroppedPart) = (nil, true)
    }

    private func askAgain(_ reason: String) -> DownloadError {
        dropPart()
        (mode, mustAskAgain) = (.dropped, reason)
        return DownloadError(.badResponse, "\(reason); asking for all of it")
    }

    /// Compares what comes with what was cut off the part.
    private func compareOverlap(_ chunk: Span<UInt8>) throws(DownloadError) {
        // By what was taken, not by what came: a chunk that had to wait comes again.
        let place = count - offset
        for index in 0..<max(0, min(overlap.count - place, chunk.count)) where chunk[index] != overlap[place + index] {
            throw askAgain("the server has another version of the same date")
        }
    }

    func write(_ chunk: Span<UInt8>, received: Int) throws(DownloadError) -> BodyFlow {
        switch mode {
        case .complete:
            return .taken
        case .refused:
            let room = Self.refusedLimit - bytes.count
            if room > 0 { bytes.append(chunk, count: min(room, chunk.count)) }
            count += chunk.count
            // What follows the first part of an error page is not worth its transfer.
            if count > 1_048_576 { throw refusal() }
            return .taken
        case .undecided:
            try judge(count + chunk.count, received: received)
            if pending.isEmpty, isEnough(chunk.count) {
                // It tells by itself, and need not be collected.
                do throws(DownloadError) {
                    try decide(chunk)
                } catch {
                    // What is refused came all the same.
                    count += chunk.count
                    throw error
                }
                return try write(chunk, received: received)
            }
            count += chunk.count
            sum?.update(chunk)
            pending.append(chunk, count: chunk.count)
            if isEnough(pending.count) { try decideByPending() }
            return .taken
        case .file(let file):
            guard try flush(), let files else { return .pause }
            try judge(count + chunk.count, received: received)
            if resumption != nil {
                if let resumedTotal, count + chunk.count > resumedTotal {
                    throw askAgain("the server sent more than it announced")
                }
                if count - offset < overlap.count { try compareOverlap(chunk) }
            }
            let flow = try files.write(chunk, to: file)
            guard flow == .taken else { return flow }
            count += chunk.count
            if !files.canReadBack { sum?.update(chunk) }
            keepCopy(chunk)
            return flow
        case .memory:
            try judge(count + chunk.count, received: received)
            count += chunk.count
            guard count <= wishes.memoryLimit else {
                throw DownloadError(
                    .tooLarge,
                    "an image of more than \(wishes.memoryLimit) bytes is not decoded from memory; save it"
                )
            }
            bytes.append(chunk, count: chunk.count)
            sum?.update(chunk)
            return .taken
        case .kept:
            try judge(count + chunk.count, received: received)
            count += chunk.count
            sum?.update(chunk)
            if count > storeLimit {
                (mode, bytes, storing) = (.dropped, [], .skip(why: .notKeptInMemory(limit: storeLimit)))
            } else {
                bytes.append(chunk, count: chunk.count)
            }
            return .taken
        case .dropped:
            try judge(count + chunk.count, received: received)
            count += chunk.count
            sum?.update(chunk)
            return .taken
        }
    }

    /// Keeps what went where it can't be read again, for the HTTP cache.
    private func keepCopy(_ chunk: Span<UInt8>) {
        guard !wishes.keepsFiles, storing?.isStored == true else { return }
        if count > storeLimit {
            (bytes, storing) = ([], .skip(why: .notKeptInMemory(limit: storeLimit)))
        } else {
            bytes.append(chunk, count: chunk.count)
        }
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
        if saysImage, format == nil {
            throw DownloadError(.badImage, "the server calls it \(contentType), but its bytes are no such image")
        }
        try judgeDimensions()
        if let resumedTotal, count < resumedTotal {
            throw DownloadError(.truncated, "the server sent a part that ends after \(count) of \(resumedTotal) bytes")
        }
        guard let file, let files else { return true }
        return try files.finish(file)
    }

    /// What is not decoded is judged by its head.
    private func judgeDimensions() throws(DownloadError) {
        guard let info, !wishes.decodes else { return }
        if info.width == 0 || info.height == 0 { throw DownloadError(.badImage, "the image has no pixels") }
        let (pixels, isAbsurd) = info.width.multipliedReportingOverflow(by: info.height)
        guard isAbsurd || (wishes.maxPixels > 0 && pixels > wishes.maxPixels) else { return }
        throw DownloadError(
            .tooLarge,
            "the image has \(info.width) × \(info.height) pixels, more than maxPixels \(wishes.maxPixels) allows; raise it"
        )
    }

    // MARK: Private

    /// The type that the answer states, without parameters.
    private var contentType: String { head?.mediaType ?? "" }

    /// Cheap, since it is asked for every body.
    private var statesImage: Bool {
        guard let first = head?.contentType?.utf8.first else { return false }
        return first == UInt8(ascii: "i") || first == UInt8(ascii: "I")
    }

    /// Whether the answer calls itself an image in a format that Sluice knows by its bytes.
    private var saysImage: Bool {
        guard statesImage, head?.status == 200 || resumedTotal != nil else { return false }
        return ["image/jpg", "image/pjpeg", "image/x-png"].contains(contentType)
            || ImageFormat.allCases.contains { $0.mimeType == contentType }
    }

    /// Whether so many bytes tell what the body is.
    private func isEnough(_ count: Int) -> Bool { count >= Self.prefixLength || count == head?.expected }

    /// Decides by what was collected, and passes that on.
    private func decideByPending() throws(DownloadError) {
        // A copy shares its bytes, and may be looked at while this object changes.
        let prefix = pending
        try decide(prefix.span)
        switch mode {
        case .memory, .kept: bytes += prefix
        case .file: if !wishes.keepsFiles { bytes = prefix }
        case .undecided, .refused, .complete, .dropped: break
        }
        if file == nil { pending = [] } else { _ = try flush() }
    }

    /// Decides by the first bytes what becomes of the body.
    private func decide(_ prefix: Span<UInt8>) throws(DownloadError) {
        look(at: prefix)
        if wishes.acceptsOnlyImages, format == nil {
            if contentType.hasPrefix("image/") {
                throw DownloadError(.badImage, "the server calls it \(contentType), but its bytes are no image")
            }
            throw DownloadError(
                .unacceptableContentType,
                "only images are accepted, and this is \(contentType.isEmpty ? "of no stated type" : contentType)"
            )
        }
        if wishes.saves, let files {
            try openFile(files, isHTML: format == nil && ImageFormat.looksLikeHTML(prefix))
        } else if wishes.decodes, format?.isDecodable == true {
            mode = .memory
            bytes.reserveCapacity(min(max(head?.expected ?? 0, prefix.count), 4_194_304))
        } else {
            mode = .dropped
        }
        if case .dropped = mode, storing?.isStored == true {
            if let expected = head?.expected, expected > storeLimit {
                storing = .skip(why: .notKeptInMemory(limit: storeLimit))
            } else {
                mode = .kept
                bytes.reserveCapacity(max(head?.expected ?? 0, prefix.count))
            }
        }
    }

    /// Bytes of a body that is kept in memory only to be stored; one of unknown length is there twice while it grows.
    private var storeLimit: Int {
        head?.expected == nil || head?.isEncoded == true ? wishes.storeLimit / 2 : wishes.storeLimit
    }

    private func look(at prefix: Span<UInt8>) {
        format = ImageFormat.sniff(prefix)
        info = if let format { ImageInfo.read(prefix, as: format) } else { nil }
    }

    private func openFile(_ files: any FileStoring, isHTML: Bool) throws(DownloadError) {
        let chosen = FileName.choose(
            disposition: head?.contentDisposition,
            url: wishes.url,
            contentType: head?.contentType,
            isHTML: isHTML
        )
        warning = chosen.warning
        let wish = wishes.name.map(DestinationPath.split)
        // A length that counts encoded bytes says nothing about the file.
        let expected = head?.isEncoded == true ? nil : head?.expected
        var request = FileRequest(
            name: wish?.name ?? chosen.name,
            folder: wish?.folder,
            onExists: wishes.onExists,
            expected: expected
        )
        request.directory = wish?.directory
        (request.replaces, request.leavesEqual) = (wishes.replaces, wishes.leavesEqual)
        guard let file = try files.create(request) else {
            hasSkipped = true
            mode = wishes.decodes && format?.isDecodable == true ? .memory : .dropped
            return
        }
        mode = .file(file)
    }

    /// Writes what is pending; false while there is no room.
    private func flush() throws(DownloadError) -> Bool {
        guard !pending.isEmpty, case .file(let file) = mode, let files else { return true }
        let waiting = pending
        guard try files.write(waiting.span, to: file) == .taken else { return false }
        pending = []
        return true
    }

    private func judge(_ total: Int, received: Int) throws(DownloadError) {
        if wishes.maxFileSize > 0, total > wishes.maxFileSize { throw tooLarge(total) }
        guard head?.isEncoded == true, total > Self.bombThreshold else { return }
        let ratio = format != nil || wishes.acceptsOnlyImages ? 100 : 1000
        if total / max(1, received) >= ratio {
            throw DownloadError(.tooLarge, "it unpacks to more than \(ratio) times its size, which no honest file does")
        }
    }

    private func tooLarge(_ size: Int) -> DownloadError {
        DownloadError(.tooLarge, "\(size) bytes are more than maxFileSize \(wishes.maxFileSize) allows; raise it")
    }

    private func refusal() -> DownloadError {
        let status = head?.status ?? 0
        let text = bytes.isEmpty ? nil : String(decoding: bytes, as: UTF8.self)
        return DownloadError(
            .badStatus,
            "the server answered \(status) \(StatusPhrase.of(status))",
            status: status,
            body: text,
            retryAfter: head?.retryAfter
        )
    }
}

extension [UInt8] {
    /// Appends the first `count` bytes of a chunk.
    fileprivate mutating func append(_ chunk: Span<UInt8>, count: Int) {
        unsafe chunk.withUnsafeBufferPointer { unsafe append(contentsOf: $0.prefix(count)) }
    }
}
