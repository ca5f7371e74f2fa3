/// Why a request did not succeed: a stable code, and a sentence that says what to do.
///
/// Cancellation has a code, but is an outcome of its own and never counted as a failure.
public struct DownloadError: Error, Equatable, Sendable {
    /// The stable codes of events and screen.
    public enum Code: String, CaseIterable, Sendable {
        /// Not an absolute URL of a scheme that Sluice speaks.
        case badURL
        /// A user or a program took it back; no failure.
        case cancelled
        /// No byte came for too long, or no connection stood in time.
        case timedOut
        /// No address for the host or the proxy; ``DownloadError/isTemporary`` if the name server may know it later.
        case hostNotFound
        /// No connection to the host or the proxy.
        case cannotConnect
        /// It broke, or was closed, before the head of an answer.
        case connectionLost
        /// More than the limit, as in a circle.
        case tooManyRedirects
        /// The server answered with a status that is no success.
        case badStatus
        /// The answer breaks the rules of HTTP.
        case badResponse
        /// The body ended before its announced end.
        case truncated
        /// The certificate of the server is not trusted.
        case tlsUntrusted
        /// No secure connection for another reason than trust: versions, client certificates, unreadable authorities.
        case tlsFailed
        /// Only images are wanted, and neither bytes nor `Content-Type` are one.
        case unacceptableContentType
        /// It says that it is an image, and is none or damaged.
        case badImage
        /// The body has another SHA-256 than the request asked for.
        case badChecksum
        /// The body or image is larger than a limit allows.
        case tooLarge
        /// The policy forbids the network, and no cache has an answer.
        case notCached
        /// The key is on the failed list.
        case previouslyFailed
        /// The file system or a quota has no room for the body.
        case diskFull
        /// A file or folder can't be read or written, or memory is short; the message names it.
        case ioError
        /// What was asked for is nothing that Sluice does, such as writing to `file:`.
        case unsupported
    }

    /// The facts of this case as a sentence for people, without control characters from servers escaped yet.
    public let message: String
    /// The first 4 KiB of a refused answer as text, invalid bytes replaced.
    public let body: String?
    /// On the heap, since few have one.
    private let boxedLimit: Boxed<Limit>?
    /// The HTTP status, where there was one.
    public let status: Int?
    // Both fit in what is left free behind the status: rows and records hold thousands of errors.
    /// What kind of failure it is; programs and rules go by it alone.
    public let code: Code
    /// Whether the same request may succeed later without a change by the user, as a code alone can't tell.
    public let isTemporary: Bool
    /// How long the server asked to wait, from `Retry-After`.
    public let retryAfter: Duration?

    /// The setting that refused it, if it is `tooLarge` for one.
    public var limit: Limit? { boxedLimit?.value }

    /// - Parameters:
    ///   - code: The stable code.
    ///   - message: A sentence for people: what happened and, where that helps, what to do.
    ///   - status: The HTTP status. `100...999`
    ///   - body: The start of the refused answer. At most 4 KiB.
    ///   - retryAfter: What the server asked for.
    ///   - isTemporary: Marks a failure of DNS that may pass, and a status that a proxy answered for itself.
    ///   - limit: The setting that refused it.
    public init(
        _ code: Code,
        _ message: String,
        status: Int? = nil,
        body: String? = nil,
        retryAfter: Duration? = nil,
        isTemporary: Bool = false,
        limit: Limit? = nil
    ) {
        self.code = code
        self.message = message
        self.status = status
        self.body = body
        self.retryAfter = retryAfter
        self.isTemporary = isTemporary
        boxedLimit = limit.map { .value($0) }
    }

    /// Whether a retry may help: what the rules for failures call retryable (docs, Rules).
    public var isTransient: Bool {
        switch code {
        case .timedOut, .cannotConnect, .connectionLost, .truncated: true
        case .hostNotFound: isTemporary
        case .badStatus: status.map { [408, 429, 500, 502, 503, 504].contains($0) } ?? false
        case .badURL, .cancelled, .tooManyRedirects, .badResponse, .tlsUntrusted, .tlsFailed,
            .unacceptableContentType, .badImage, .badChecksum, .tooLarge, .notCached, .previouslyFailed, .diskFull,
            .ioError, .unsupported:
            false
        }
    }

    /// Whether the key is remembered on the failed list: a repeat would fail the same way.
    public var isPermanent: Bool {
        switch code {
        case .badImage, .tlsUntrusted: true
        case .badStatus: (status == 404 || status == 410) && !isTemporary
        case .badURL, .cancelled, .timedOut, .hostNotFound, .cannotConnect, .connectionLost, .tooManyRedirects,
            .badResponse, .truncated, .tlsFailed, .unacceptableContentType, .badChecksum, .tooLarge, .notCached,
            .previouslyFailed, .diskFull, .ioError, .unsupported:
            false
        }
    }

    /// Whether the origin could not be reached, or gave no answer that is of use; not where it can't be trusted.
    public var isOfOrigin: Bool {
        switch code {
        case .timedOut, .hostNotFound, .cannotConnect, .connectionLost, .tooManyRedirects, .badStatus, .badResponse,
            .truncated, .tlsFailed:
            true
        case .badURL, .cancelled, .tlsUntrusted, .unacceptableContentType, .badImage, .badChecksum, .tooLarge,
            .notCached, .previouslyFailed, .diskFull, .ioError, .unsupported:
            false
        }
    }

    /// Whether the body that came is not what it should be, and so is kept aside for a look at it.
    public var isBadBody: Bool { code == .badImage || code == .badChecksum }

    /// Stands in the message of a `tlsFailed` whose server answered in plain text.
    ///
    /// What helps people then is another scheme; it has no code of its own, since programs treat it like the others.
    public static let noTLS = "what answers there speaks no TLS"

    /// The outcome of a cancel, an abort, and of what was left when the pipeline ended.
    public static let cancelled = DownloadError(.cancelled, "cancelled")
}

extension DownloadError {
    /// The same, without the start of the answer: lists of what failed keep thousands of them.
    public var withoutBody: DownloadError {
        guard body != nil else { return self }
        return DownloadError(
            code,
            message,
            status: status,
            retryAfter: retryAfter,
            isTemporary: isTemporary,
            limit: limit
        )
    }
}
