/// An answer as the HTTP cache keeps it, without its body.
///
/// A value: what is fresh, and for whom it is meant, is worked out where it is asked, by
/// ``HTTPCacheRules``.
public struct StoredResponse: Equatable, Sendable {
    /// Given by the store; 0 before.
    public var id: ResponseID
    /// Normalised.
    public var url: String
    /// Of the answer that was stored; a validation does not change it.
    public var status: Int
    /// As received, but for those that concern the connection; updated by validation.
    public var fields: [HeaderField]
    /// When the request was sent, in milliseconds since 1970.
    public var requestTime: Int64
    /// When the head arrived, in milliseconds since 1970.
    public var responseTime: Int64
    /// The fields that `Vary` names, lower-cased and sorted.
    public var vary: [String]
    /// What the request said in those fields.
    public var selector: Fingerprint
    /// Whose credentials it was stored for.
    public var owner: Fingerprint
    /// Bytes of the body, decoded.
    public var size: Int
    /// Of the answer that was stored: `1.0`, `1.1`, `2` or `3`.
    public var httpVersion: String
    /// Numeric address and port.
    public var remoteAddress: String

    /// An answer that is to be stored: identifier and size follow, once its body is there.
    ///
    /// - Parameters:
    ///   - url: Normalised.
    ///   - status: Of the answer.
    ///   - fields: As received, but for those that concern the connection.
    ///   - requestTime: In milliseconds since 1970.
    ///   - responseTime: When the head arrived, in milliseconds since 1970.
    ///   - vary: The fields that `Vary` names, lower-cased and sorted.
    ///   - selector: What the request said in those fields.
    ///   - owner: Whose credentials it was asked for with.
    public init(
        url: String,
        status: Int,
        fields: [HeaderField],
        requestTime: Int64,
        responseTime: Int64,
        vary: [String] = [],
        selector: Fingerprint = .none,
        owner: Fingerprint = .none
    ) {
        id = ResponseID(0)
        (self.url, self.status, self.fields) = (url, status, fields)
        (self.requestTime, self.responseTime) = (requestTime, responseTime)
        (self.vary, self.selector, self.owner) = (vary, selector, owner)
        (size, httpVersion, remoteAddress) = (0, "1.1", "")
    }

    /// Whether a new response takes its place.
    public func isReplaced(by other: StoredResponse) -> Bool {
        url == other.url && owner == other.owner && vary == other.vary && selector == other.selector
    }

    /// When the origin made it, in seconds since 1970; when it arrived, where that was not said.
    public var date: Int {
        fields.single("date").flatMap { HTTPDate.parse($0) } ?? Int(responseTime / 1000)
    }

    /// `ETag` as sent, quotes and weakness included; `nil` without one, or with different ones.
    public var entityTag: String? { fields.single("etag") }

    /// An entity tag that promises equal bytes; `nil` for a weak one, and without.
    public var strongTag: String? { entityTag.flatMap { $0.hasPrefix("W/") ? nil : $0 } }

    /// Whether the origin can be asked if it still holds, with `If-None-Match` or `If-Modified-Since`.
    public var hasValidator: Bool { entityTag != nil || fields.single("last-modified") != nil }

    /// The head as an answer of the present, with its age in seconds as the field `Age`.
    public func head(age: Int) -> ResponseHead {
        var head = ResponseHead.Content(status: status, finalURL: url)
        head.fields = fields.filter { !$0.isNamed("age") } + [HeaderField("Age", "\(age)")]
        head.contentType = fields.values(of: "content-type").first
        head.contentDisposition = fields.values(of: "content-disposition").first
        head.lastModified = fields.single("last-modified").flatMap { HTTPDate.parse($0) }
        head.expected = size
        head.isEncoded = false
        (head.httpVersion, head.remoteAddress) = (httpVersion, remoteAddress)
        return ResponseHead(head)
    }
}
