internal import CCurl

/// What curl itself is and brings along, found out once a process.
enum CurlLibrary {
    /// Sets curl up before the first handle; curl wants that once.
    static let isReady: Bool = curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK

    /// Whether curl tells of bytes behind a body before it brings the end of that; since version 8 it may do so after it.
    static let speaksBeforeWriting: Bool = {
        guard let version = unsafe curl_version_info(CURLVERSION_FIRST) else { return false }
        return unsafe version.pointee.version_num < 0x08_0000
    }()

    /// The system's certificate authorities as one file; `nil` if curl was built without.
    static let caFile: String? = {
        guard isReady, let handle = unsafe curl_easy_init() else { return nil }
        defer { unsafe curl_easy_cleanup(handle) }
        var path: UnsafeMutablePointer<CChar>?
        unsafe sluice_get_string(handle, CURLINFO_CAINFO, &path)
        guard let path = unsafe path else { return nil }
        return unsafe String(cString: path)
    }()
}
