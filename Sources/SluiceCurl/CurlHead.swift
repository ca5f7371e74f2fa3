internal import CCurl
import SluiceCore

/// Puts the head of an answer together; in the header callback, or after the end.
enum CurlHead {
    /// What a server may ask to wait, in seconds; longer is a year all the same.
    private static let longestWait = 366 * 86_400

    static func status(_ handle: UnsafeMutableRawPointer) -> Int {
        unsafe CurlInfo.long(CURLINFO_RESPONSE_CODE, handle)
    }

    /// Builds the head for the sink.
    ///
    /// - Parameters:
    ///   - handle: Holds the answer.
    ///   - fields: Of the final answer.
    ///   - redirection: How the transfer came here.
    /// - Returns: The head of the final answer.
    /// - Throws: `badResponse` if the head contradicts itself.
    static func read(
        _ handle: UnsafeMutableRawPointer,
        _ fields: HeadFields,
        _ redirection: Redirection
    ) throws(DownloadError) -> ResponseHead {
        var head = unsafe ResponseHead(status: status(handle), finalURL: redirection.url)
        head.expected = try fields.expected()
        (head.contentType, head.contentDisposition) = (fields.contentType, fields.contentDisposition)
        (head.isEncoded, head.lastModified, head.fields) = (fields.isEncoded, fields.lastModified, fields.all)
        (head.entityTag, head.lastModifiedText) = (fields.entityTag, fields.lastModifiedText)
        (head.date, head.contentRange) = (fields.date, fields.contentRange)
        head.setsCookie = fields.setsCookie
        if head.status >= 300, let wish = fields.retryAfter {
            let seconds =
                switch wish {
                case .seconds(let seconds): seconds
                // curl counts it from now, as it arrives.
                case .date: unsafe CurlInfo.offset(CURLINFO_RETRY_AFTER, handle)
                }
            head.retryAfter = .seconds(min(max(0, seconds), longestWait))
        }
        unsafe head.remoteAddress = remoteAddress(handle)
        unsafe head.localPort = CurlInfo.long(CURLINFO_LOCAL_PORT, handle)
        unsafe head.httpVersion = version(handle)
        unsafe head.reused = CurlInfo.connectionsMade(handle) == 0
        head.redirects = redirection.count
        return head
    }

    private static func remoteAddress(_ handle: UnsafeMutableRawPointer) -> String {
        guard let address = unsafe CurlInfo.string(CURLINFO_PRIMARY_IP, handle) else { return "" }
        let port = unsafe CurlInfo.long(CURLINFO_PRIMARY_PORT, handle)
        return (address.utf8.contains(UInt8(ascii: ":")) ? "[" + address + "]:" : address + ":") + String(port)
    }

    private static func version(_ handle: UnsafeMutableRawPointer) -> String {
        switch unsafe CurlInfo.long(CURLINFO_HTTP_VERSION, handle) {
        case Int(CURL_HTTP_VERSION_1_0): "1.0"
        case Int(CURL_HTTP_VERSION_2_0): "2"
        case Int(CURL_HTTP_VERSION_3): "3"
        default: "1.1"
        }
    }
}
