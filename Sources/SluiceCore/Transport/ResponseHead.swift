/// The head of the final answer, after redirects and interim responses.
///
/// It goes through many hands, and has more strings than a copy should count: so all share one, and only a change makes
/// another.
@dynamicMemberLookup
public struct ResponseHead: Equatable, Sendable {
    /// What a head says; each part can be read and set as if it were the head's own.
    public struct Content: Equatable, Sendable {
        /// Of the last answer, from 200 on: interim ones and followed redirects are passed over.
        public var status: Int
        /// `Content-Type` as sent, parameters included; `nil` if absent.
        public var contentType: String?
        /// `Content-Length` of the body as sent; `nil` if unknown.
        public var expected: Int?
        /// Whether the body has a coding, so that ``expected`` says nothing of the decoded size.
        public var isEncoded = false
        /// Whether a coding of the body, or of its transfer, is undone as it arrives, so that little may become much.
        public var isUnpacked = false
        /// `Content-Disposition` as sent; see ``ContentDisposition``.
        public var contentDisposition: String?
        /// `Last-Modified` in seconds since 1970.
        public var lastModified: Int?
        /// The same as sent.
        public var lastModifiedText: String?
        /// `ETag` as sent, quotes and weakness included.
        public var entityTag: String?
        /// `Date` in seconds since 1970.
        public var date: Int?
        /// `Content-Range` as sent.
        public var contentRange: String?
        /// Whether it, or an answer on the way to it, set a cookie.
        public var setsCookie = false
        /// From `Retry-After`, relative to the arrival.
        public var retryAfter: Duration?
        /// All fields in order, if they were wanted.
        public var fields: [HeaderField] = []
        /// Numeric address and port.
        public var remoteAddress = ""
        /// Of this machine's end of the connection, which tells connections apart; 0 if there is none.
        public var localPort = 0
        /// `1.0`, `1.1`, `2` or `3`.
        public var httpVersion = "1.1"
        /// Whether the connection had served an earlier request.
        public var reused = false
        /// Redirects that were followed.
        public var redirects = 0
        /// The first of them; at most ``RedirectHop/limit``, and none where they are not known.
        public var hops: [RedirectHop] = []
        /// Where the answer came from, after redirects; without credentials.
        public var finalURL: String
        /// How far the attempt had come when the head arrived; for the screen, no field of an event.
        public var timings: TransferTimings?

        /// A head of HTTP/1.1 with no fields; what was sent is set afterwards.
        public init(status: Int, finalURL: String) {
            (self.status, self.finalURL) = (status, finalURL)
        }
    }

    /// Content that is never changed.
    @usableFromInline
    final class Shared: Sendable {
        @usableFromInline let content: Content

        @usableFromInline
        init(_ content: consuming Content) { self.content = content }
    }

    @usableFromInline var shared: Shared

    /// A head that says what was put together before.
    public init(_ content: consuming Content) { shared = Shared(content) }

    /// A head of HTTP/1.1 with no fields; what was sent is set afterwards.
    public init(status: Int, finalURL: String) { self.init(Content(status: status, finalURL: finalURL)) }

    /// One part of what it says; setting it makes a copy of all.
    @inlinable
    public subscript<Part>(dynamicMember part: WritableKeyPath<Content, Part>) -> Part {
        get { shared.content[keyPath: part] }
        set {
            var content = shared.content
            content[keyPath: part] = newValue
            shared = Shared(content)
        }
    }

    /// The same head, or one that says the same.
    public static func == (left: ResponseHead, right: ResponseHead) -> Bool {
        left.shared === right.shared || left.shared.content == right.shared.content
    }
}
