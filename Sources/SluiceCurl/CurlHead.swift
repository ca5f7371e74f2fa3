internal import CCurl
import Glibc
import SluiceCore

/// Puts the head of an answer together; in the header callback, or after the end.
enum CurlHead {
    /// What a server may ask to wait, in seconds: a hundred years, which clocks still count in nanoseconds.
    private static let longestWait = 36_525 * 86_400
    /// Lines of all heads that answer one request: to put folded ones together, curl looks for each field through all.
    static let mostLines = 5_000
    /// Digest challenges that are answered in a row; the first one, and nonces that were too old.
    static let mostChallenges = 5

    static func status(_ handle: UnsafeMutableRawPointer) -> Int {
        unsafe CurlInfo.long(CURLINFO_RESPONSE_CODE, handle)
    }

    /// Builds the head for the sink.
    ///
    /// - Parameters:
    ///   - handle: Holds the answer.
    ///   - fields: Of the final answer; those that the head has are not in them afterwards.
    ///   - redirection: How the transfer came here.
    ///   - address: Numeric, and the port.
    ///   - isHTTP1: What the connection is, whatever the status line says.
    ///   - takesCookies: Whether one that was set is sent from now on.
    /// - Returns: The head of the final answer.
    /// - Throws: `badResponse` if the head contradicts itself.
    static func read(
        _ handle: UnsafeMutableRawPointer,
        _ fields: inout HeadFields,
        _ redirection: Redirection,
        from address: String,
        isHTTP1: Bool,
        takesCookies: Bool
    ) throws(DownloadError) -> ResponseHead.Content {
        var head = unsafe ResponseHead.Content(status: status(handle), finalURL: redirection.url)
        try fields.fill(&head)
        head.setsCookie = head.setsCookie && takesCookies
        if head.status >= 300, let wish = fields.retryAfter {
            let seconds =
                switch wish {
                case .seconds(let seconds): seconds
                // curl counts it from now, as it arrives.
                case .date: unsafe CurlInfo.offset(CURLINFO_RETRY_AFTER, handle)
                }
            head.retryAfter = .seconds(min(max(0, seconds), longestWait))
        }
        head.remoteAddress = address
        unsafe head.localPort = CurlInfo.long(CURLINFO_LOCAL_PORT, handle)
        unsafe head.httpVersion = version(handle, isHTTP1: isHTTP1)
        unsafe head.reused = CurlInfo.connectionsMade(handle) == 0
        (head.redirects, head.hops) = (redirection.count, redirection.hops)
        return head
    }

    /// The fields of the head that arrived last, each in one line.
    ///
    /// - SeeAlso: `curl_easy_nextheader`
    static func lines(_ handle: UnsafeMutableRawPointer) -> [[UInt8]] {
        var lines: [[UInt8]] = []
        var last: UnsafeMutablePointer<curl_header>?
        while let field = unsafe curl_easy_nextheader(handle, UInt32(CURLH_HEADER), -1, last) {
            let (name, value) = unsafe (field.pointee.name, field.pointee.value)
            guard let name = unsafe name, let value = unsafe value else { break }
            // Bytes, since not all servers speak UTF-8.
            lines.append(unsafe bytes(name) + [UInt8(ascii: ":"), UInt8(ascii: " ")] + bytes(value))
            unsafe last = unsafe field
        }
        return lines
    }

    private static func bytes(_ text: UnsafePointer<CChar>) -> [UInt8] {
        unsafe UnsafeBufferPointer(start: text, count: strlen(text)).map { UInt8(bitPattern: $0) }
    }

    /// Whether the status line says HTTP/1.1 or older.
    static func isHTTP1(_ handle: UnsafeMutableRawPointer) -> Bool {
        let version = unsafe CurlInfo.long(CURLINFO_HTTP_VERSION, handle)
        return version != Int(CURL_HTTP_VERSION_2_0) && version != Int(CURL_HTTP_VERSION_3)
    }

    private static func version(_ handle: UnsafeMutableRawPointer, isHTTP1: Bool) -> String {
        switch unsafe CurlInfo.long(CURLINFO_HTTP_VERSION, handle) {
        case Int(CURL_HTTP_VERSION_1_0): "1.0"
        case _ where isHTTP1: "1.1"
        case Int(CURL_HTTP_VERSION_2_0): "2"
        case Int(CURL_HTTP_VERSION_3): "3"
        default: "1.1"
        }
    }
}
