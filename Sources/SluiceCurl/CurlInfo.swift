internal import CCurl

/// Asks an easy handle, by the type that curl answers with.
enum CurlInfo {
    static func long(_ info: CURLINFO, _ handle: UnsafeMutableRawPointer) -> Int {
        var value = 0
        unsafe sluice_get_long(handle, info, &value)
        return value
    }

    static func offset(_ info: CURLINFO, _ handle: UnsafeMutableRawPointer) -> Int {
        var value: curl_off_t = 0
        unsafe sluice_get_offset(handle, info, &value)
        return Int(value)
    }

    static func connectionsMade(_ handle: UnsafeMutableRawPointer) -> Int {
        unsafe long(CURLINFO_NUM_CONNECTS, handle)
    }
}
