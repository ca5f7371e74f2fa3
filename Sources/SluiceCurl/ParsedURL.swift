internal import CCurl
import SluiceCore

/// The URL of an easy handle, parsed once and not by curl for every request.
///
/// Requests that follow one another mostly ask the same server, and then only the path is set
/// anew: that costs curl a tenth of parsing the whole. It may only change while the handle is idle.
/// What every transfer touches is checked for exclusive access in debug builds only.
@safe
final class ParsedURL {
    /// For `CURLOPT_CURLU`, which takes no copy: it must outlive every use of the handle.
    let parsed: OpaquePointer
    /// Scheme, host and port of what is parsed; empty where more than a path followed them.
    private var start: [UInt8] = []

    init() {
        guard let parsed = unsafe curl_url() else { preconditionFailure("out of memory for a URL") }
        unsafe self.parsed = parsed
    }

    deinit { unsafe curl_url_cleanup(parsed) }

    /// - Parameter url: Absolute.
    /// - Returns: Whether curl can read it; if not, nothing is parsed.
    func set(_ url: String) -> Bool {
        let bytes = url.utf8.span
        let end = CurlURL.endOfAuthority(bytes) ?? bytes.count
        let isPlain = Self.isPlainPath(bytes, from: end)
        if isPlain, bytes.extracting(first: end).isEqual(to: start.span), setPath(of: url, from: end) { return true }
        start = isPlain ? unsafe bytes.extracting(first: end).withUnsafeBufferPointer { unsafe Array($0) } : []
        let flags = UInt32(CURLU_NON_SUPPORT_SCHEME)
        // Or curl would read what is no whole URL against the one before.
        unsafe curl_url_set(parsed, CURLUPART_SCHEME, nil, 0)
        let isParsed = unsafe curl_url_set(parsed, CURLUPART_URL, url, flags) == CURLUE_OK
        if !isParsed { start = [] }
        return isParsed
    }

    private func setPath(of url: String, from place: Int) -> Bool {
        unsafe url.withCString { unsafe curl_url_set(parsed, CURLUPART_PATH, $0 + place, 0) == CURLUE_OK }
    }

    /// Whether nothing follows but a path that means the same wherever it is set: no query, nothing that is encoded, and
    /// no segment that begins with a dot.
    private static func isPlainPath(_ url: Span<UInt8>, from start: Int) -> Bool {
        guard start < url.count, url[start] == UInt8(ascii: "/") else { return false }
        var last = UInt8(ascii: "/")
        for index in start..<url.count {
            let byte = url[index]
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "/"), UInt8(ascii: "-"), UInt8(ascii: "_"),
                UInt8(ascii: "~"):
                break
            case UInt8(ascii: ".") where last != UInt8(ascii: "/"): break
            default: return false
            }
            last = byte
        }
        return true
    }
}
