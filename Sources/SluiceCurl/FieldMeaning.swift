import SluiceCore

/// What one field of a head says, as far as it matters here.
enum FieldMeaning {
    case nothing
    /// Seconds since 1970; `nil` where it is no date.
    case date(Int?)
    case entityTag(String)
    case location(String)
    case cookie
    case retryAfter(RetryAfter?)
    case contentType(String)
    /// Seconds since 1970, and the same as sent.
    case lastModified(Int?, String)
    case contentRange(String)
    /// `nil` where it is not one plain number; and as sent.
    case contentLength(Int?, String)
    case contentCoding(String)
    case challenge(String)
    case chunked
    /// Beside `chunked`.
    case transferCoding(String)
    /// `Transfer-Encoding` that names none, or the one that changes nothing, as servers of RFC 2616 do.
    case noTransferCoding
    case contentDisposition(String)
    case strictTransport(String)
    /// A field that says where the body ends, with a blank before its colon, which curl reads as another one.
    case unreadFraming

    /// - Parameters:
    ///   - name: The part of a line before the colon.
    ///   - value: The part behind it, without blanks around it.
    init(_ name: Span<UInt8>, _ value: Span<UInt8>) {
        self = .nothing
        // Of other fields such a blank is of no matter (RFC 9112 §5.1).
        if let last = name.indices.last, name[last] == 32 || name[last] == 9 {
            let plain = name.extracting(name.trimmed)
            let isFraming = plain.isEqual(to: "content-length") || plain.isEqual(to: "transfer-encoding")
            self = isFraming ? .unreadFraming : FieldMeaning(plain, value)
            return
        }
        // The length of a name tells nearly all of them apart.
        switch name.count {
        case 4 where name.isEqual(to: "date"): self = .date(HTTPDate.seconds(value))
        case 4 where name.isEqual(to: "etag"): self = .entityTag(value.text)
        case 8 where name.isEqual(to: "location"): self = .location(value.urlText)
        case 10 where name.isEqual(to: "set-cookie"): self = .cookie
        case 11 where name.isEqual(to: "retry-after"): self = .retryAfter(RetryAfter(value))
        case 12 where name.isEqual(to: "content-type"): self = .contentType(value.text)
        case 13 where name.isEqual(to: "last-modified"): self = .lastModified(HTTPDate.seconds(value), value.text)
        case 13 where name.isEqual(to: "content-range"): self = .contentRange(value.text)
        case 14 where name.isEqual(to: "content-length"):
            self = .contentLength(ContentLength.number(value), value.text)
        case 16 where name.isEqual(to: "content-encoding"):
            if !value.isEmpty, !value.isEqual(to: "identity") { self = .contentCoding(value.text) }
        case 16 where name.isEqual(to: "www-authenticate"): self = .challenge(value.text)
        case 17 where name.isEqual(to: "transfer-encoding"):
            self =
                if value.isEqual(to: "chunked") { .chunked } else if Self.isNoCoding(value) { .noTransferCoding } else {
                    .transferCoding(value.text)
                }
        case 19 where name.isEqual(to: "content-disposition"): self = .contentDisposition(value.text)
        case 25 where name.isEqual(to: "strict-transport-security"): self = .strictTransport(value.text)
        default: break
        }
    }

    /// Whether a list of transfer codings has none, but perhaps `identity`.
    private static func isNoCoding(_ value: Span<UInt8>) -> Bool {
        if value.isEqual(to: "identity") { return true }
        for index in value.indices where value[index] != UInt8(ascii: ",") && value[index] != UInt8(ascii: " ") {
            return false
        }
        return true
    }
}
