internal import SluiceCore

/// What becomes of a body, by its head and its first bytes.
extension TransferBody {
    /// The type that the answer states, without parameters; of a body that is continued, the first answer.
    var contentType: String { ResponseHead.mediaType(of: statedType) ?? "" }
    /// For sentences, which many may keep: a server may write as much as it likes.
    var shownType: String { VisibleText.visible(contentType, limit: 100) }

    var statedType: String? { wholeField(head?.contentType, "content-type") }

    /// Cheap, since it is asked for every body.
    private var statesImage: Bool {
        guard let first = statedType?.utf8.first else { return false }
        return first == UInt8(ascii: "i") || first == UInt8(ascii: "I")
    }

    /// Whether the answer calls itself an image in a format that Sluice knows by its bytes.
    var saysImage: Bool {
        guard statesImage, head?.status == 200 || resumedTotal != nil else { return false }
        return Self.otherTypes.contains(contentType) || ImageFormat.allCases.contains { $0.mimeType == contentType }
    }

    /// Other names of the formats that Sluice knows by their bytes.
    private static let otherTypes: Set<String> = [
        "image/apng", "image/avif-sequence", "image/heic", "image/heic-sequence", "image/heif-sequence", "image/jpg",
        "image/pjpeg", "image/svg", "image/vnd.microsoft.icon", "image/x-bmp", "image/x-ms-bmp", "image/x-png",
    ]

    /// Whether the answer calls itself an image and is a page, as one that asks for a password.
    var isPageForImage: Bool { isPage && isCalledImage && (head?.status == 200 || resumedTotal != nil) }

    /// Whether it is an image as far as anybody says, in a format that Sluice does not know.
    var isOtherImage: Bool {
        format == nil && isCalledImage && head?.status == 200 && !wishes.isHead && count > 0
    }

    /// Whether the answer calls itself an image in any format.
    var isCalledImage: Bool { contentType.hasPrefix("image/") }

    var noImage: DownloadError {
        DownloadError(.badImage, "the server calls it \(shownType), but its bytes are no image")
    }

    var notAccepted: DownloadError {
        DownloadError(
            .unacceptableContentType,
            "only images are accepted, and this is \(contentType.isEmpty ? "of no stated type" : shownType)"
        )
    }

    /// Ends what is known to be no image where only those are accepted; what arrived of it is in its file, if in any.
    func refuseOther() throws(DownloadError) {
        guard wishes.acceptsOnlyImages, format == nil, start.isEmpty else { return }
        throw isCalledImage ? noImage : notAccepted
    }

    /// Whether it is an image that is decoded once it is whole, as far as its first bytes tell.
    var isToBeDecoded: Bool { wishes.decodes && format?.isDecodable == true && !isPiece }

    /// Whether it is but a piece of what the URL stands for, as a request with a `Range` of the user's own wanted it.
    private var isPiece: Bool {
        guard wishes.allowsPartial, let head, head.status == 206 else { return false }
        guard let range = head.contentRange.flatMap(ContentRange.init), let bytes = range.range else { return true }
        return bytes.lowerBound > 0 || bytes.upperBound != range.total
    }

    /// Whether the first bytes tell what the body is; of what may be an SVG, more are needed than of all others.
    func isEnough(_ prefix: Span<UInt8>) -> Bool {
        if prefix.count == head?.expected { return true }
        return prefix.count >= Self.prefixLength && !ImageFormat.mayTurnOutSVG(prefix)
    }

    /// Whether what was collected is refused, whatever follows: a slow body is not waited for.
    var isRefusable: Bool { wishes.acceptsOnlyImages && !mayBecomeImage }

    /// Whether what was collected may still turn out to be an image.
    var mayBecomeImage: Bool {
        // A copy shares its bytes, and may be looked at while this object changes.
        let prefix = pending
        return !ImageFormat.isExcluded(by: prefix.span)
    }

    /// Decides by what was collected, and passes that on.
    func decideByPending() throws(DownloadError) {
        // A copy shares its bytes, and may be looked at while this object changes.
        let prefix = pending
        try decide(prefix.span)
        scan?.take(prefix.span)
        switch mode {
        case .memory, .kept: bytes += prefix
        case .file: if !wishes.keepsFiles { bytes = prefix }
        case .undecided, .refused, .complete, .dropped: break
        }
        if file == nil { pending = [] } else { _ = try flush() }
    }

    /// Decides by the first bytes what becomes of the body.
    func decide(_ prefix: Span<UInt8>) throws(DownloadError) {
        look(at: prefix)
        // Of a piece nobody asks how many frames the whole has.
        if needsScan, let format, !mayMove || head?.status != 206 { scan = ImageScan(format) }
        if wishes.acceptsOnlyImages, format == nil {
            if isCalledImage {
                // What arrives is kept for the user to look at, if anything is.
                guard wishes.saves, wishes.keepsFiles, let files else { throw noImage }
                try openFile(files, prefix)
                // Where it has no file, nothing is left to wait for.
                guard case .file = mode else { throw noImage }
                return
            }
            throw notAccepted
        }
        if wishes.saves, let files {
            try openFile(files, prefix)
        } else if isToBeDecoded {
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
    var storeLimit: Int {
        head?.expected == nil || head?.isEncoded == true ? wishes.storeLimit / 2 : wishes.storeLimit
    }

    /// Whether a body whose first bytes were looked at is a page: by those, or since the origin calls it one and it is text.
    ///
    /// An SVG is text, and is no page whatever it is called.
    func isHTML(_ prefix: Span<UInt8>) -> Bool {
        if format != nil { return false }
        if ImageFormat.looksLikeHTML(prefix) { return true }
        guard ["text/html", "application/xhtml+xml"].contains(contentType) else { return false }
        return ImageFormat.isPlainText(prefix)
    }

    func look(at prefix: Span<UInt8>) {
        format = ImageFormat.sniff(prefix)
        isPage = format == nil && statesImage && ImageFormat.looksLikeHTML(prefix)
        // Its tag may stand behind all that is looked at, and so behind whatever came at once.
        let isCalledSVG = format == nil && statesImage && [ImageFormat.svg.mimeType, "image/svg"].contains(contentType)
        if isCalledSVG, ImageFormat.beginsLikeSVG(prefix) { format = .svg }
        info = if let format { ImageInfo.read(prefix, as: format) } else { nil }
        mayMove = format?.mayMove(prefix) == true
    }

    /// What is known of the image, once all of it is there; nothing where its frames could not be counted.
    var wholeInfo: ImageInfo? {
        guard mayMove, var info else { return info }
        // Of a sequence of AVIF only a decoder knows.
        guard let scan, format != .avif else { return nil }
        info.frames = max(1, scan.frames)
        return info
    }

    /// Whether the start of a body leaves something to be found in what follows.
    ///
    /// The boxes of an AVIF may say less at their start than as a whole: its largest picture need not come first.
    var needsScan: Bool { mayMove || format == .avif || (format == .jpeg && info == nil) }

    /// The file that is wished for, under the name that a destination of the request's own does not change.
    private func fileRequest(_ usualName: String) -> FileRequest {
        let wish = wishes.name.map(DestinationPath.split)
        // A length that counts encoded bytes says nothing about the file.
        let expected = head?.isEncoded == true ? nil : head?.expected
        // A part that the user asked for takes no other file's place: that may be whole.
        let isPart = wishes.allowsPartial && head?.status == 206
        var request = FileRequest(
            name: wish?.name ?? usualName,
            folder: wish?.folder,
            onExists: isPart && wishes.onExists == .overwrite ? .rename : wishes.onExists,
            expected: expected
        )
        request.directory = wish?.directory
        return request
    }

    /// Refuses a body that its file has no room for as soon as its length is known, however late its bytes come.
    ///
    /// - Throws: `diskFull`.
    func checkSpace() throws(DownloadError) {
        if case .dropped = mode { return }
        guard wishes.saves, let files, let expected = head?.expected, expected > FileRequest.smallSize else { return }
        try files.checkSpace(
            for: fileRequest(FileName.choose(disposition: head?.contentDisposition, url: wishes.url).name)
        )
    }

    func openFile(_ files: any FileStoring, _ prefix: Span<UInt8>) throws(DownloadError) {
        while try !createFile(files, prefix) {}
    }

    /// - Returns: `false` if the name is taken and such requests are skipped, but somebody wants another one.
    private func createFile(_ files: any FileStoring, _ prefix: Span<UInt8>) throws(DownloadError) -> Bool {
        let disposition = head?.contentDisposition
        var chosen = FileName.choose(disposition: disposition, url: wishes.url)
        // Looked at only where it matters, which is rarely.
        if FileName.promisesImage(chosen.name), isHTML(prefix) {
            chosen = FileName.choose(
                disposition: disposition,
                url: wishes.url,
                contentType: head?.contentType,
                isHTML: true
            )
        }
        (warning, usualName) = (chosen.warning, chosen.name)
        var request = fileRequest(chosen.name)
        (request.replaces, request.leavesEqual) = (wishes.replaces, wishes.leavesEqual)
        (request.arrived, request.sameResource) = (wishes.arrived, wishes.sameResource)
        request.held = wishes.parts?.locations(without: wishes.partKey) ?? []
        let created: FileID?
        do throws(DownloadError) {
            created = try files.create(request)
        } catch {
            noFile = .notMade
            throw error
        }
        guard let file = created else {
            if goElsewhereThanSkipped() { return false }
            noFile = .skipped
            warning = "\(request.name) is there already and stays as it is, since onExists is skip"
            mode = isToBeDecoded ? .memory : .dropped
            return true
        }
        mode = .file(file)
        return true
    }

    /// Opens the file of a body that was collected in memory first.
    func saveLate() throws(DownloadError) {
        guard isUnsaved, let files else { return }
        let before = mode
        // A copy shares its bytes, and may be looked at while this object changes.
        let whole = bytes
        try openFile(files, whole.span)
        if case .file = mode { (pending, bytes) = (whole, wishes.keepsFiles ? [] : whole) } else { mode = before }
    }
}
