internal import CCurl

/// One jar of cookies, kept in memory only.
///
/// Confined to the loop's thread, so curl needs no locks. Must outlive the handles that use it.
@safe
final class CurlShare {
    let handle: UnsafeMutableRawPointer
    /// Answers that set cookies since they were last counted.
    var newCookies = 0

    init() {
        guard let handle = unsafe curl_share_init() else { preconditionFailure("out of memory at start-up") }
        unsafe self.handle = handle
        unsafe sluice_share_set_data(handle, CURLSHOPT_SHARE, CURL_LOCK_DATA_COOKIE)
    }

    deinit { unsafe curl_share_cleanup(handle) }
}
