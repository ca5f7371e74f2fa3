internal import CCurl
internal import Glibc

/// The address that a handle's last answer came from, which the next one's mostly is too.
struct RecentAddress {
    private var numeric: [CChar] = []
    private var port = 0
    private var text = ""

    /// - Returns: Numeric address and port; empty without a connection.
    mutating func read(_ handle: UnsafeMutableRawPointer) -> String {
        var found: UnsafeMutablePointer<CChar>?
        unsafe sluice_get_string(handle, CURLINFO_PRIMARY_IP, &found)
        guard let address = unsafe found else { return "" }
        let port = unsafe CurlInfo.long(CURLINFO_PRIMARY_PORT, handle)
        if self.port == port,
            unsafe numeric.withUnsafeBufferPointer({ known in
                guard let known = known.baseAddress else { return false }
                return unsafe strcmp(known, address) == 0
            })
        {
            return text
        }
        let host = unsafe String(cString: address)
        (numeric, self.port) = (host.utf8CString.map(\.self), port)
        text = (host.utf8.contains(UInt8(ascii: ":")) ? "[" + host + "]:" : host + ":") + String(port)
        return text
    }
}
