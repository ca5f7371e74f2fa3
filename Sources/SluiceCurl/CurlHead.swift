internal import CCurl
import SluiceCore

/// Reads the head of the answer that a handle holds; only in its header callback or after its end.
enum CurlHead {
    static func status(_ handle: UnsafeMutableRawPointer) -> Int {
        unsafe CurlInfo.long(CURLINFO_RESPONSE_CODE, handle)
    }

    /// The first field of that name.
    static func value(_ name: StaticString, _ handle: UnsafeMutableRawPointer) -> String? {
        guard let field = unsafe field(name, 0, handle) else { return nil }
        return unsafe String(cString: field.pointee.value)
    }

    /// Builds the head for the sink.
    ///
    /// - Parameters:
    ///   - handle: Holds the answer.
    ///   - wantsFields: Whether to collect all fields.
    ///   - redirection: How the transfer came here.
    /// - Returns: The head of the final answer.
    /// - Throws: `badResponse` if the head contradicts itself.
    static func read(
        _ handle: UnsafeMutableRawPointer,
        wantsFields: Bool,
        _ redirection: Redirection
    ) throws(DownloadError) -> ResponseHead {
        var head = unsafe ResponseHead(status: status(handle), finalURL: redirection.url)
        unsafe head.contentType = value("Content-Type", handle)
        unsafe head.expected = try length(handle)
        unsafe head.contentDisposition = value("Content-Disposition", handle)
        if let encoding = unsafe value("Content-Encoding", handle) {
            head.isEncoded = !encoding.isEmpty && encoding.lowercased() != "identity"
        }
        if let modified = unsafe field("Last-Modified", 0, handle) {
            unsafe head.lastModified = HTTPDate.seconds(modified.pointee.value)
        }
        if head.status >= 300 {
            // curl counts a date from now, as it arrives; 0 is what it says to none.
            let seconds = unsafe CurlInfo.offset(CURLINFO_RETRY_AFTER, handle)
            let isAsked = unsafe value("Retry-After", handle) != nil
            if isAsked { head.retryAfter = .seconds(max(0, seconds)) }
        }
        if wantsFields { unsafe head.fields = fields(handle) }
        unsafe head.remoteAddress = remoteAddress(handle)
        unsafe head.httpVersion = version(handle)
        unsafe head.reused = CurlInfo.connectionsMade(handle) == 0
        head.redirects = redirection.count
        return head
    }

    private static func length(_ handle: UnsafeMutableRawPointer) throws(DownloadError) -> Int? {
        guard let first = unsafe field("Content-Length", 0, handle) else { return nil }
        let amount = unsafe first.pointee.amount
        var values = [unsafe String(cString: first.pointee.value)]
        for index in 1..<max(1, amount) {
            if let field = unsafe field("Content-Length", index, handle) {
                unsafe values.append(String(cString: field.pointee.value))
            }
        }
        let length = try ContentLength.read(values)
        // A chunked body has its own end; RFC 9112 §6.3 says what wins.
        return unsafe field("Transfer-Encoding", 0, handle) == nil ? length : nil
    }

    private static func field(
        _ name: StaticString,
        _ index: Int,
        _ handle: UnsafeMutableRawPointer
    ) -> UnsafeMutablePointer<curl_header>? {
        var field: UnsafeMutablePointer<curl_header>?
        let bytes = unsafe UnsafeRawPointer(name.utf8Start).assumingMemoryBound(to: CChar.self)
        let found = unsafe curl_easy_header(handle, bytes, index, UInt32(CURLH_HEADER), -1, &field) == CURLHE_OK
        return unsafe found ? field : nil
    }

    private static func fields(_ handle: UnsafeMutableRawPointer) -> [HeaderField] {
        var fields: [HeaderField] = []
        fields.reserveCapacity(16)
        var last: UnsafeMutablePointer<curl_header>?
        while let field = unsafe curl_easy_nextheader(handle, UInt32(CURLH_HEADER), -1, last) {
            let (name, value) = unsafe (String(cString: field.pointee.name), String(cString: field.pointee.value))
            fields.append(HeaderField(name, value))
            unsafe last = field
        }
        return fields
    }

    private static func remoteAddress(_ handle: UnsafeMutableRawPointer) -> String {
        guard let address = unsafe CurlInfo.string(CURLINFO_PRIMARY_IP, handle) else { return "" }
        let port = unsafe CurlInfo.long(CURLINFO_PRIMARY_PORT, handle)
        return address.utf8.contains(UInt8(ascii: ":")) ? "[\(address)]:\(port)" : "\(address):\(port)"
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
