/// An answer as the HTTP cache keeps it, without its body.
///
/// A value: what is fresh, and for whom it is meant, is worked out where it is asked, by
/// ``HTTPCacheRules``. Its texts are behind one reference, since it goes through many hands, and each copy of a string
/// is counted.
@dynamicMemberLookup
public struct StoredResponse: Equatable, Sendable {
    /// What was answered; each part can be read and set as if it were the response's own.
    public struct Content: Equatable, Sendable {
        /// Normalised.
        public var url: String
        /// Of the answer that was stored; a validation does not change it.
        public var status: Int
        /// As received, but for those that concern the connection; updated by validation.
        public var fields: [HeaderField]
        /// The fields that `Vary` names, lower-cased and sorted.
        public var vary: [String] = []
        /// What the request said in those fields.
        public var selector = Fingerprint.none
        /// Whose credentials it was stored for.
        public var owner = Fingerprint.none
        /// Of the answer that was stored: `1.0`, `1.1`, `2` or `3`.
        public var httpVersion = "1.1"
        /// Numeric address and port.
        public var remoteAddress = ""

        /// An answer of HTTP/1.1 that fits every request for its URL; what else is known is set afterwards.
        public init(url: String, status: Int, fields: [HeaderField]) {
            (self.url, self.status, self.fields) = (url, status, fields)
        }
    }

    /// Content that is never changed.
    @usableFromInline
    final class Shared: Sendable {
        @usableFromInline let content: Content

        @usableFromInline
        init(_ content: consuming Content) { self.content = content }
    }

    /// Given by the store; 0 before.
    public var id = ResponseID(0)
    /// When the request was sent, in milliseconds since 1970.
    public var requestTime: Int64
    /// When the head arrived, in milliseconds since 1970.
    public var responseTime: Int64
    /// Bytes of the body, decoded; 0 before it is there.
    public var size = 0
    @usableFromInline var shared: Shared

    /// An answer that is to be stored: identifier and size follow, once its body is there.
    ///
    /// - Parameters:
    ///   - content: What was answered.
    ///   - requestTime: In milliseconds since 1970.
    ///   - responseTime: When the head arrived, in milliseconds since 1970.
    public init(_ content: consuming Content, requestTime: Int64, responseTime: Int64) {
        shared = Shared(content)
        (self.requestTime, self.responseTime) = (requestTime, responseTime)
    }

    /// An answer that fits every request for its URL.
    ///
    /// - Parameters:
    ///   - url: Normalised.
    ///   - status: Of the answer.
    ///   - fields: As received, but for those that concern the connection.
    ///   - requestTime: In milliseconds since 1970.
    ///   - responseTime: When the head arrived, in milliseconds since 1970.
    public init(url: String, status: Int, fields: [HeaderField], requestTime: Int64, responseTime: Int64) {
        let content = Content(url: url, status: status, fields: fields)
        self.init(content, requestTime: requestTime, responseTime: responseTime)
    }

    /// One part of what was answered; setting it makes a copy of all.
    @inlinable
    public subscript<Part>(dynamicMember part: WritableKeyPath<Content, Part>) -> Part {
        get { shared.content[keyPath: part] }
        set {
            var content = shared.content
            content[keyPath: part] = newValue
            shared = Shared(content)
        }
    }

    /// Whether both say the same of the same body.
    public static func == (left: StoredResponse, right: StoredResponse) -> Bool {
        left.id == right.id && left.requestTime == right.requestTime && left.responseTime == right.responseTime
            && left.size == right.size && (left.shared === right.shared || left.shared.content == right.shared.content)
    }

    /// Whether a new response takes its place.
    public func isReplaced(by other: StoredResponse) -> Bool {
        let (old, new) = (shared.content, other.shared.content)
        return old.url == new.url && old.owner == new.owner && old.vary == new.vary && old.selector == new.selector
    }

    /// Whether it answers the same as `other`, and is newer.
    public func isNewer(than other: StoredResponse) -> Bool { isLater(than: other) && isReplaced(by: other) }

    /// Whether it came later, or was asked for and made later than one that was long on its way.
    public func isLater(than other: StoredResponse) -> Bool {
        responseTime > other.responseTime || requestTime > other.requestTime && date > other.date
    }

    /// When the origin made it, in seconds since 1970; when it arrived, where that was not said.
    public var date: Int {
        self.fields.single("date").flatMap { HTTPDate.parse($0) } ?? Int(responseTime / 1000)
    }

    /// `ETag` as sent, quotes and weakness included; `nil` without one, or with different ones.
    public var entityTag: String? { self.fields.single("etag") }

    /// An entity tag that promises equal bytes; `nil` for a weak one, and without.
    public var strongTag: String? { entityTag.flatMap { $0.hasPrefix("W/") ? nil : $0 } }

    /// Whether the origin can be asked if it still holds, with `If-None-Match` or `If-Modified-Since`.
    public var hasValidator: Bool { entityTag != nil || self.fields.single("last-modified") != nil }

    /// The head as an answer of the present, with its age in seconds as the field `Age`.
    public func head(age: Int) -> ResponseHead {
        let content = shared.content
        let fields = content.fields
        var head = ResponseHead.Content(status: content.status, finalURL: content.url)
        head.fields = fields.filter { !$0.isNamed("age") } + [HeaderField("Age", "\(age)")]
        head.contentType = fields.values(of: "content-type").first
        head.contentDisposition = fields.values(of: "content-disposition").first
        head.lastModified = fields.single("last-modified").flatMap { HTTPDate.seconds($0.utf8.span) }
        head.expected = size
        head.isEncoded = false
        (head.httpVersion, head.remoteAddress) = (content.httpVersion, content.remoteAddress)
        return ResponseHead(head)
    }
}
