internal import SluiceCore

/// Takes the body of one transfer: judges it by its first bytes, then saves, keeps or drops it.
///
/// Confined to the loop's thread. Never opens a file for an answer that is refused,
/// and never holds more than one block of a body that is saved.
final class TransferBody: BodySink {
    /// What the pipeline wants of this body.
    struct Wishes {
        /// The URL asked for, for the file's name.
        var url: String
        var saves: Bool
        var name: String?
        var onExists: OnExists
        var replaces: SavedFile?
        /// Whether an image that can be decoded will be.
        var decodes: Bool
        var acceptsOnlyImages: Bool
        /// The user's own validators or range make 304 and 206 answers of their own.
        var allowsPartial: Bool
        /// In bytes; 0 means none.
        var maxFileSize: Int
        /// Width × height.
        var maxPixels: Int
        var memoryLimit: Int
    }

    private enum Mode {
        /// Too few bytes to judge; they are in `pending`.
        case undecided
        /// Keeps the first 4 KiB of a refused answer.
        case refused
        case file(FileID)
        case memory
        /// Counts only.
        case dropped
    }

    /// Bytes after which the kind of a body is known.
    private static let prefixLength = 512
    private static let refusedLimit = 4096
    /// Decoded bytes from which a high ratio of decoded to received is a bomb.
    private static let bombThreshold = 10_485_760

    let wishes: Wishes
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

    init(_ wishes: Wishes, files: (any FileStoring)?) {
        (self.wishes, self.files) = (wishes, files)
    }

    var file: FileID? {
        if case .file(let file) = mode { file } else { nil }
    }

    var isDecided: Bool {
        if case .undecided = mode { false } else { true }
    }

    /// Whether the status is no success.
    var isRefused: Bool {
        if case .refused = mode { true } else { false }
    }

    /// Whether the body, once complete, can fill the memory cache.
    var mayFillCache: Bool {
        guard isDecided else { return true }
        return wishes.decodes && format?.isDecodable == true
    }

    func begin(_ head: ResponseHead) throws(DownloadError) {
        self.head = head
        let isPartial = head.status == 304 || head.status == 206
        if isPartial, !wishes.allowsPartial {
            throw DownloadError(.badResponse, "the server answered \(head.status), which was not asked for; try again")
        }
        guard (200...299).contains(head.status) || isPartial else {
            mode = .refused
            return
        }
        // Nothing changed, which is no body to save.
        if head.status == 304 { mode = .dropped }
        if wishes.maxFileSize > 0, let expected = head.expected, expected > wishes.maxFileSize {
            throw tooLarge(expected)
        }
    }

    func write(_ chunk: Span<UInt8>, received: Int) throws(DownloadError) -> BodyFlow {
        switch mode {
        case .refused:
            let room = Self.refusedLimit - bytes.count
            if room > 0 { bytes.append(chunk, count: min(room, chunk.count)) }
            count += chunk.count
            // What follows the first part of an error page is not worth its transfer.
            if count > 1_048_576 { throw refusal() }
            return .taken
        case .undecided:
            try judge(count + chunk.count, received: received)
            count += chunk.count
            pending.append(chunk, count: chunk.count)
            if pending.count >= Self.prefixLength || pending.count == head?.expected { try decide() }
            return .taken
        case .file(let file):
            guard try flush(), let files else { return .pause }
            try judge(count + chunk.count, received: received)
            let flow = try files.write(chunk, to: file)
            if flow == .taken { count += chunk.count }
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
            return .taken
        case .dropped:
            try judge(count + chunk.count, received: received)
            count += chunk.count
            return .taken
        }
    }

    /// Takes the end of the body.
    ///
    /// - Returns: Whether all of it is where it belongs; else the file store has news soon, and this is called again.
    func complete() throws(DownloadError) -> Bool {
        if case .refused = mode { throw refusal() }
        if case .undecided = mode { try decide() }
        guard try flush() else { return false }
        if saysImage, format == nil {
            throw DownloadError(.badImage, "the server calls it \(contentType), but its bytes are no such image")
        }
        try judgeDimensions()
        guard case .file(let file) = mode, let files else { return true }
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
        guard statesImage, head?.status == 200 else { return false }
        return ["image/jpg", "image/pjpeg", "image/x-png"].contains(contentType)
            || ImageFormat.allCases.contains { $0.mimeType == contentType }
    }

    private func decide() throws(DownloadError) {
        // A copy shares its bytes, and may be looked at while this object changes.
        let prefix = pending
        format = ImageFormat.sniff(prefix.span)
        info = ImageInfo.read(prefix.span)
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
            try openFile(files, isHTML: format == nil && ImageFormat.looksLikeHTML(prefix.span))
        } else if wishes.decodes, format?.isDecodable == true {
            mode = .memory
            bytes.reserveCapacity(min(max(head?.expected ?? 0, pending.count), 4_194_304))
        } else {
            mode = .dropped
        }
        if case .memory = mode { bytes = pending }
        if file == nil { pending = [] } else { _ = try flush() }
    }

    private func openFile(_ files: any FileStoring, isHTML: Bool) throws(DownloadError) {
        let chosen = FileName.choose(
            disposition: head?.contentDisposition,
            url: wishes.url,
            contentType: head?.contentType,
            isHTML: isHTML
        )
        warning = chosen.warning
        var (folder, name): (String?, String) = (nil, chosen.name)
        if let wish = wishes.name {
            let parts = wish.split(separator: "/")
            folder = parts.count > 1 ? parts.dropLast().joined(separator: "/") : nil
            name = parts.last.map(String.init) ?? name
        }
        // A length that counts encoded bytes says nothing about the file.
        let expected = head?.isEncoded == true ? nil : head?.expected
        var request = FileRequest(name: name, folder: folder, onExists: wishes.onExists, expected: expected)
        request.replaces = wishes.replaces
        guard let file = try files.create(request) else {
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

/// The words of a status, from the registry and never from the server.
///
/// - SeeAlso: RFC 9110 §15
enum StatusPhrase {
    static func of(_ status: Int) -> String {
        switch status {
        case 300...399: "which leads nowhere that can be followed"
        case 400: "Bad Request"
        case 401: "Unauthorized: it wants a user name and password (--user)"
        case 403: "Forbidden"
        case 404: "Not Found"
        case 408: "Request Timeout"
        case 410: "Gone"
        case 416: "Range Not Satisfiable"
        case 429: "Too Many Requests"
        case 500: "Internal Server Error"
        case 502: "Bad Gateway"
        case 503: "Service Unavailable"
        case 504: "Gateway Timeout"
        case 400...499: "which says that the request is wrong"
        default: "which says that the server failed"
        }
    }
}
