internal import CCurl
import SluiceCore

/// Reads where the time of a transfer went.
enum CurlTimings {
    /// Reads the phases of the request at hand.
    ///
    /// - Parameters:
    ///   - handle: Whose request ended.
    ///   - earlier: What the requests before took; phases that did not happen since keep their time.
    ///   - isRedirected: Whether redirects led from those to this one, whose own phases are then told: that another server
    ///     sent a byte says nothing of this one.
    /// - Returns: All counted from the start of the first request.
    static func read(
        _ handle: UnsafeMutableRawPointer,
        after earlier: TransferTimings,
        isRedirected: Bool
    ) -> TransferTimings {
        var timings = earlier
        let before = isRedirected ? nil : earlier
        let firstByte = unsafe time(CURLINFO_STARTTRANSFER_TIME_T, handle, earlier)
        if isRedirected { timings.redirects = earlier.total }
        if unsafe CurlInfo.connectionsMade(handle) > 0 {
            unsafe timings.dns = time(CURLINFO_NAMELOOKUP_TIME_T, handle, earlier) ?? before?.dns
            unsafe timings.connect = time(CURLINFO_CONNECT_TIME_T, handle, earlier) ?? before?.connect
            unsafe timings.tls = time(CURLINFO_APPCONNECT_TIME_T, handle, earlier) ?? before?.tls
        } else if isRedirected, firstByte == nil {
            // The last server was not even connected to.
            (timings.dns, timings.connect, timings.tls) = (nil, nil, nil)
        }
        timings.firstByte = firstByte ?? before?.firstByte
        unsafe timings.total = time(CURLINFO_TOTAL_TIME_T, handle, earlier) ?? earlier.total
        return timings
    }

    private static func time(
        _ info: CURLINFO,
        _ handle: UnsafeMutableRawPointer,
        _ earlier: TransferTimings
    ) -> Duration? {
        let microseconds = unsafe CurlInfo.offset(info, handle)
        return microseconds > 0 ? earlier.total + .microseconds(microseconds) : nil
    }
}
