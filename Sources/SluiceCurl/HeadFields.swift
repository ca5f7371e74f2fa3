import Glibc
import SluiceCore

/// Collects what matters of a head, line by line as it arrives.
///
/// Bytes are only looked at, and become strings where somebody wants them: making
/// strings of all fields of all answers would cost a tenth of the time of small files.
struct HeadFields {
    private(set) var contentType: String?
    private(set) var contentDisposition: String?
    /// `Last-Modified` in seconds since 1970.
    private(set) var lastModified: Int?
    /// The same as sent.
    private(set) var lastModifiedText: String?
    /// `ETag` as sent.
    private(set) var entityTag: String?
    /// `Date` in seconds since 1970.
    private(set) var date: Int?
    /// `Content-Range` as sent.
    private(set) var contentRange: String?
    private(set) var location: String?
    /// The first `WWW-Authenticate`.
    private(set) var challenge: String?
    /// The first `Strict-Transport-Security`.
    private(set) var strictTransport: String?
    private(set) var isEncoded = false
    /// What `Content-Encoding` and, beside `chunked`, `Transfer-Encoding` say, in the order in which it was applied.
    var codings: [String] { contentCodings + transferCodings }
    /// Whether this head or one before it sets a cookie.
    private(set) var setsCookie = false
    /// What `Retry-After` says; `nil` also where it is neither seconds nor a date.
    private(set) var retryAfter: RetryAfter?
    /// All fields, if they are wanted.
    private(set) var all: [HeaderField] = []
    private var lengths: [String] = []
    private var length: Int?
    private var isChunked = false
    private var contentCodings: [String] = []
    private var transferCodings: [String] = []

    /// The length of the body.
    ///
    /// - Returns: `nil` if it is unknown; a chunked body has its own end, by RFC 9112 §6.3.
    /// - Throws: `badResponse` if what the server says of it makes no sense.
    func expected() throws(DownloadError) -> Int? {
        // One plain number is the rule, and needs no second look.
        let agreed = lengths.isEmpty ? length : try ContentLength.read(lengths)
        return isChunked ? nil : agreed
    }

    /// Reads one line.
    ///
    /// - Parameters:
    ///   - line: With its end; a status line starts a new head.
    ///   - wantsAll: Whether ``all`` is wanted.
    ///   - recent: Fields of heads before, to share strings with.
    mutating func add(_ line: Span<UInt8>, wantsAll: Bool, recent: inout RecentFields) {
        if line.starts(with: "HTTP/") {
            // Cookies are taken wherever they are set.
            let setsCookie = self.setsCookie
            self = HeadFields()
            self.setsCookie = setsCookie
            return
        }
        guard let colon = line.indices.first(where: { line[$0] == UInt8(ascii: ":") }), colon > 0 else { return }
        let name = line.extracting(0..<colon)
        let rest = line.extracting((colon + 1)...)
        let value = rest.extracting(rest.trimmed)
        if wantsAll, all.isEmpty { all.reserveCapacity(12) }
        if wantsAll { all.append(recent.field(at: all.count, line, name, value)) }
        keep(name, value)
    }

    private mutating func keep(_ name: Span<UInt8>, _ value: Span<UInt8>) {
        // The length of a name tells nearly all of them apart.
        switch name.count {
        case 4 where name.isEqual(to: "date"): date = HTTPDate.seconds(value)
        case 4 where name.isEqual(to: "etag"): entityTag = entityTag ?? value.text
        case 8 where name.isEqual(to: "location"): location = location ?? value.text
        case 10 where name.isEqual(to: "set-cookie"): setsCookie = true
        case 11 where name.isEqual(to: "retry-after"): retryAfter = RetryAfter(value)
        case 12 where name.isEqual(to: "content-type"): contentType = contentType ?? value.text
        case 13 where name.isEqual(to: "last-modified"):
            (lastModified, lastModifiedText) = (HTTPDate.seconds(value), value.text)
        case 13 where name.isEqual(to: "content-range"): contentRange = contentRange ?? value.text
        case 14 where name.isEqual(to: "content-length"): keepLength(value)
        case 16 where name.isEqual(to: "content-encoding"):
            if value.isEmpty || value.isEqual(to: "identity") { return }
            isEncoded = true
            contentCodings.append(value.text)
        case 16 where name.isEqual(to: "www-authenticate"): challenge = challenge ?? value.text
        case 17 where name.isEqual(to: "transfer-encoding"):
            isChunked = true
            if !value.isEqual(to: "chunked") { transferCodings.append(value.text) }
        case 19 where name.isEqual(to: "content-disposition"):
            contentDisposition = contentDisposition ?? value.text
        case 25 where name.isEqual(to: "strict-transport-security"): strictTransport = strictTransport ?? value.text
        default: break
        }
    }

    private mutating func keepLength(_ value: Span<UInt8>) {
        let number = ContentLength.number(value)
        if lengths.isEmpty, let number, length == nil || length == number {
            length = number
            return
        }
        if lengths.isEmpty, let length { lengths.append("\(length)") }
        lengths.append(value.text)
    }
}

extension Span<UInt8> {
    /// Invalid bytes are replaced.
    var text: String { unsafe withUnsafeBufferPointer { unsafe String(decoding: $0, as: UTF8.self) } }

    func starts(with text: StaticString) -> Bool {
        count >= text.utf8CodeUnitCount && extracting(first: text.utf8CodeUnitCount).isEqual(to: text)
    }

    func isEqual(to other: Span<UInt8>) -> Bool {
        guard count == other.count else { return false }
        if isEmpty { return true }
        return unsafe withUnsafeBytes { left in
            unsafe other.withUnsafeBytes { right in
                guard let first = left.baseAddress, let second = right.baseAddress else { return false }
                return unsafe memcmp(first, second, left.count) == 0
            }
        }
    }

    /// Compares without regard to case.
    ///
    /// - Parameter text: ASCII.
    /// - Returns: Whether they are equal.
    func isEqual(to text: StaticString) -> Bool {
        guard count == text.utf8CodeUnitCount else { return false }
        for index in indices {
            let other = unsafe text.utf8Start[index]
            if self[index].lowercased != other.lowercased { return false }
        }
        return true
    }

    /// What is left without blanks and line ends around it.
    var trimmed: Range<Int> {
        var (start, end) = (0, count)
        while start < end, self[start] <= 32 { start += 1 }
        while end > start, self[end - 1] <= 32 { end -= 1 }
        return start..<end
    }
}

extension UInt8 {
    /// In ASCII.
    fileprivate var lowercased: UInt8 { self >= 65 && self <= 90 ? self | 32 : self }
}
