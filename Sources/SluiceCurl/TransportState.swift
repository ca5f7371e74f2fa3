import SluiceCore

/// What curl's callbacks and the transport that runs them share.
///
/// A class, because the callbacks of all transfers write to the same one. Confined to
/// the loop's thread, like all that holds it. What each callback touches is checked for
/// exclusive access in debug builds only.
final class TransportState {
    /// The time at which curl was entered; callbacks have no other clock.
    #if !DEBUG
    @safe @exclusivity(unchecked)
    #endif
    var now = Timestamp(nanoseconds: 0)
    #if !DEBUG
    @safe @exclusivity(unchecked)
    #endif
    var limiter = RateLimiter()
    #if !DEBUG
    @safe @exclusivity(unchecked)
    #endif
    var limits = TransportLimits()
    /// Hosts that asked to be reached over TLS only.
    #if !DEBUG
    @safe @exclusivity(unchecked)
    #endif
    var secureHosts = SecureHosts()
    /// What the last URL whose origin was asked for begins with, and that origin.
    #if !DEBUG
    @safe @exclusivity(unchecked)
    #endif
    private var lastOrigin: (start: [UInt8], origin: SiteOrigin?) = ([], nil)
    #if !DEBUG
    @safe @exclusivity(unchecked)
    #endif
    private var news = Queue<TransportNews>()

    /// Bytes that all decoders may read and write in one turn, some 10 ms of work.
    ///
    /// curl reads on as long as something is there, up to a hundred times its buffer: from a server that is faster than
    /// a decoder, all others would wait for seconds.
    static let mostUnpacked = 4_194_304
    /// Those of this turn.
    var unpacked = 0
    /// Transfers that had their part of a turn, and go on in a later one; the longest waiting first.
    var yielded: [TransferID] = []

    /// When a body that nobody wants may have taken too long, at the earliest.
    var unwantedCheck: Timestamp?

    /// Sees to it that somebody looks whether a body that nobody wants has come to its end.
    func watchUnwanted(since start: Timestamp) {
        let end = start + CurlTransfer.droppedTime
        unwantedCheck = min(unwantedCheck ?? end, end)
    }

    var hasNews: Bool { !news.isEmpty }

    func post(_ item: TransportNews) { news.append(item) }

    /// Bytes that curl reads at once.
    ///
    /// Small ones keep a rate even, and bound what curl keeps when a sink pauses within a body that unpacks to much more.
    ///
    /// - Parameters:
    ///   - decoding: Whether the body may come encoded.
    ///   - ownRate: The transfer's own limit in bytes a second; 0 for none.
    /// - Returns: Bytes, what curl takes for `CURLOPT_BUFFERSIZE`.
    func bufferSize(decoding: Bool, ownRate: Int) -> Int {
        let rate = [limits.rate, ownRate].filter { $0 > 0 }.min()
        if let rate { return min(16_384, max(1_024, rate / 16)) }
        return decoding ? 65_536 : 262_144
    }

    /// Whom a URL asks, as curl reads it; `nil` if it can't.
    ///
    /// Most URLs ask whom the one before did, and curl takes long to read one: asked for every answer over TLS.
    func origin(of url: String) -> SiteOrigin? {
        let bytes = url.utf8.span
        guard let end = CurlURL.endOfAuthority(bytes) else { return CurlURL.origin(of: url) }
        let start = bytes.extracting(first: end)
        if start.isEqual(to: lastOrigin.start.span) { return lastOrigin.origin }
        let origin = CurlURL.origin(of: url)
        lastOrigin = (unsafe start.withUnsafeBufferPointer { unsafe Array($0) }, origin)
        return origin
    }

    /// The URL, with https where its host asked for that.
    func secured(_ url: String) -> String {
        if secureHosts.isEmpty || !url.utf8.starts(with: "http:".utf8) { return url }
        guard let origin = origin(of: url), secureHosts.contains(origin.host, now: now) else { return url }
        return CurlURL.secured(url) ?? url
    }

    /// Takes the oldest news.
    func takeNews() -> TransportNews? { news.popFirst() }
}
