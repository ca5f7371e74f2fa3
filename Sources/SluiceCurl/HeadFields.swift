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
    /// `ETag` as sent; several that differ are a list, and so no validator.
    private(set) var entityTag: String?
    /// `Date` in seconds since 1970.
    private(set) var date: Int?
    /// `Content-Range` as sent; several that differ are a list, and so no range.
    private(set) var contentRange: String?
    private(set) var location: String?
    /// Whether a `WWW-Authenticate` offers the scheme `Digest`, be it the first or not.
    private(set) var offersDigest = false
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
    /// Whether a field goes on in a line of its own, which is not in what is known of it here.
    private(set) var isFolded = false
    /// Lines of the head so far, its first excepted.
    private var count = 0
    private var lengths: [String] = []
    private var length: Int?
    private var isChunked = false
    private var hasNoTransferCoding = false
    private var contentCodings: [String] = []
    private var transferCodings: [String] = []
    /// Why curl read none of a field that says where the body ends; the end of a sentence.
    private var unread: String?

    /// What says where the body ends.
    private var framing: Framing {
        Framing(length: length, lengths: lengths, isChunked: isChunked, hasNoTransferCoding: hasNoTransferCoding)
    }

    private struct Framing: Equatable {
        var length: Int?
        var lengths: [String]
        var isChunked: Bool
        var hasNoTransferCoding: Bool
    }

    /// Whether nothing tells where the body ends but the end of an HTTP/1 connection.
    var endsWithConnection: Bool { length == nil && lengths.isEmpty && !isChunked }

    /// Whether curl reads on to the end of the connection although a length tells where the body ends.
    ///
    /// It does so wherever a `Transfer-Encoding` is not `chunked`.
    var passesOverLength: Bool { hasNoTransferCoding && !isChunked && !(length == nil && lengths.isEmpty) }

    /// The length of the body.
    ///
    /// - Returns: `nil` if it is unknown; a chunked body has its own end, by RFC 9112 §6.3.
    /// - Throws: `badResponse` if what the server says of it makes no sense.
    func expected() throws(DownloadError) -> Int? {
        if let unread {
            throw DownloadError(
                .badResponse,
                "the field of the answer that says where its body ends \(unread): try later"
            )
        }
        // One plain number is the rule, and needs no second look.
        let agreed = lengths.isEmpty ? length : try ContentLength.read(lengths)
        return isChunked ? nil : agreed
    }

    /// Gives what it has of a head away.
    ///
    /// - Throws: `badResponse` if what the server says of the length makes no sense.
    mutating func fill(_ head: inout ResponseHead.Content) throws(DownloadError) {
        head.expected = try expected()
        (head.isEncoded, head.lastModified, head.date) = (isEncoded, lastModified, date)
        head.setsCookie = setsCookie
        // Moved, since each copy of a string is counted.
        swap(&head.contentType, &contentType)
        swap(&head.contentDisposition, &contentDisposition)
        swap(&head.lastModifiedText, &lastModifiedText)
        swap(&head.entityTag, &entityTag)
        swap(&head.contentRange, &contentRange)
        swap(&head.fields, &all)
    }

    /// Reads one line.
    ///
    /// - Parameters:
    ///   - line: With its end; a status line starts a new head.
    ///   - wantsAll: Whether ``all`` is wanted.
    ///   - recent: Fields of heads before, which most are equal to.
    mutating func add(_ line: Span<UInt8>, wantsAll: Bool, recent: inout RecentFields) {
        if line.isStatusLine {
            // Cookies are taken wherever they are set.
            let setsCookie = self.setsCookie
            self = HeadFields()
            self.setsCookie = setsCookie
            return
        }
        if count > 0, !line.isEmpty, line[0] == UInt8(ascii: " ") || line[0] == UInt8(ascii: "\t") {
            isFolded = true
            return
        }
        defer { count += 1 }
        if wantsAll, all.isEmpty { all.reserveCapacity(12) }
        if let meaning = recent.read(line, at: count, wantsField: wantsAll, into: &all) { keep(meaning) }
    }

    /// Reads the head once more, of which fields go on in lines of their own.
    ///
    /// - Parameters:
    ///   - lines: Each field in one line.
    ///   - wantsAll: Whether ``all`` is wanted.
    mutating func readAgain(_ lines: [[UInt8]], wantsAll: Bool) {
        let (setsCookie, framing) = (self.setsCookie, framing)
        self = HeadFields()
        var recent = RecentFields()
        for line in lines { add(line.span, wantsAll: wantsAll, recent: &recent) }
        self.setsCookie = self.setsCookie || setsCookie
        // curl looked for the end of the body by the first lines alone.
        if self.framing != framing { unread = unread ?? "goes on in a line of its own" }
    }

    private mutating func keep(_ meaning: FieldMeaning) {
        switch meaning {
        case .nothing: break
        case .date(let seconds): date = seconds
        case .entityTag(let text): entityTag = Self.joined(entityTag, text)
        case .location(let text): location = location ?? text
        case .cookie: setsCookie = true
        case .retryAfter(let wish): retryAfter = wish
        case .contentType(let text): contentType = contentType ?? text
        case .lastModified(let seconds, let text): (lastModified, lastModifiedText) = (seconds, text)
        case .contentRange(let text): contentRange = Self.joined(contentRange, text)
        case .contentLength(let number, let text): keepLength(number, text)
        case .contentCoding(let text):
            isEncoded = true
            contentCodings.append(text)
        case .challenge(let text): offersDigest = offersDigest || Challenges.name("digest", in: text)
        case .chunked: isChunked = true
        case .noTransferCoding: hasNoTransferCoding = true
        case .transferCoding(let text):
            isChunked = true
            transferCodings.append(text)
        case .contentDisposition(let text): contentDisposition = contentDisposition ?? text
        case .strictTransport(let text): strictTransport = strictTransport ?? text
        case .unreadFraming: unread = "has a blank before its colon"
        }
    }

    /// Several values of what can be only one thing, as the list that they are, which nothing is continued by.
    private static func joined(_ first: String?, _ next: String) -> String {
        guard let first, !first.hasSameBytes(as: next) else { return next }
        return "\(first), \(next)"
    }

    private mutating func keepLength(_ number: Int?, _ text: String) {
        if lengths.isEmpty, let number, length == nil || length == number {
            length = number
            return
        }
        if lengths.isEmpty, let length { lengths.append("\(length)") }
        lengths.append(text)
    }
}

extension Span<UInt8> {
    /// Invalid bytes are replaced.
    var text: String { unsafe withUnsafeBufferPointer { unsafe String(decoding: $0, as: UTF8.self) } }

    /// Invalid bytes are percent-encoded one by one: what a URL asks for is bytes, whatever they mean to a server.
    var urlText: String {
        let bytes = unsafe withUnsafeBufferPointer { unsafe Array($0) }
        if let text = String(validating: bytes, as: UTF8.self) { return text }
        var parser = Unicode.UTF8.ForwardParser()
        var input = bytes.makeIterator()
        var (text, place): ([UInt8], Int) = ([], 0)
        while true {
            switch parser.parseScalar(from: &input) {
            case .valid(let scalar):
                text.append(contentsOf: scalar)
                place += scalar.count
            case .error(let length):
                for byte in bytes[place..<place + length] { PercentEncoding.append(byte, to: &text) }
                place += length
            case .emptyInput: return String(decoding: text, as: UTF8.self)
            }
        }
    }

    /// Whether it begins a head; a field may have a name that looks like it at first.
    ///
    /// - SeeAlso: RFC 9112 §4
    var isStatusLine: Bool {
        guard starts(with: "HTTP/") else { return false }
        let end = indices.first { self[$0] == UInt8(ascii: " ") || self[$0] == UInt8(ascii: ":") }
        return end.map { self[$0] == UInt8(ascii: " ") } ?? true
    }

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

    /// What is left without blanks and line ends around it; what else is invisible stays, and is shown.
    ///
    /// - SeeAlso: RFC 9110 §5.6.3
    var trimmed: Range<Int> {
        var (start, end) = (0, count)
        while start < end, self[start].isBlank { start += 1 }
        while end > start, self[end - 1].isBlank { end -= 1 }
        return start..<end
    }
}

extension UInt8 {
    fileprivate var isBlank: Bool { self == 32 || self == 9 || self == 13 || self == 10 }

    /// In ASCII.
    fileprivate var lowercased: UInt8 { self >= 65 && self <= 90 ? self | 32 : self }
}
