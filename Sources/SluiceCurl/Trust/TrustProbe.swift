internal import CCurl
internal import COpenSSL
public import SluiceCore

/// Looks at the certificates of a host without asking it for anything.
///
/// Shakes hands as far as the certificates, and refuses whatever they are: no byte of a
/// request is sent. Uses the same judges as transfers do. A proxy on the way is judged as
/// transfers judge it, and is what is found if it is refused.
public enum TrustProbe {
    /// What a look brought.
    public struct Finding: Sendable {
        /// What links by signature from the leaf upwards.
        public let chain: TrustChain
        /// What each policy says, in the order asked.
        public let verdicts: [TrustVerdict]
    }

    /// How a host is reached.
    public struct Way: Sendable {
        /// Asked for a tunnel; `nil` asks the host directly.
        public var proxy: ProxyServer?
        /// Whose word counts for the proxy instead of the system's.
        public var proxyAuthorities: CertificateFile?
        /// Who asks, as the proxy is told; the host hears nothing of it.
        public var userAgent: String?
        /// Which of its addresses are tried.
        public var ipVersion = CurlTransport.Configuration.IPVersion.any
        /// For the whole look.
        public var timeout: Duration

        /// - Parameters:
        ///   - proxy: `nil` asks directly, whatever the environment says.
        ///   - timeout: For the whole look.
        public init(proxy: ProxyServer?, timeout: Duration) { (self.proxy, self.timeout) = (proxy, timeout) }
    }

    /// Looks; blocks until the host showed its certificates, or failed to.
    ///
    /// - Parameters:
    ///   - host: A name or an address, without brackets.
    ///   - port: Of the server.
    ///   - way: How to get there.
    ///   - inForce: Whose authorities complete the chain.
    ///   - policies: That are asked what they say of the chain found, which may depend on it and its certificates.
    /// - Returns: What was found.
    /// - Throws: The cause if there was no handshake, as a transfer would name it.
    public static func look(
        at host: String,
        port: Int,
        way: Way,
        inForce: TrustPolicy,
        policies: @escaping (TrustChain, [EncodedCertificate]) -> [TrustPolicy]
    ) throws(DownloadError) -> Finding {
        precondition(CurlLibrary.isReady, "libcurl can't be set up")
        let viewer = TrustViewer(host, way, inForce, policies)
        guard let handle = unsafe curl_easy_init() else { throw DownloadError(.ioError, "out of memory") }
        defer { unsafe curl_easy_cleanup(handle) }
        var reason = [CChar](repeating: 0, count: Int(CURL_ERROR_SIZE))
        let code = unsafe reason.withUnsafeMutableBufferPointer { buffer in
            unsafe sluice_set_pointer(handle, CURLOPT_ERRORBUFFER, buffer.baseAddress)
            unsafe sluice_set_string(handle, CURLOPT_URL, "https://\(host.asURLHost):\(port)/")
            unsafe sluice_set_long(handle, CURLOPT_NOSIGNAL, 1)
            unsafe sluice_set_long(handle, CURLOPT_CONNECT_ONLY, 1)
            unsafe sluice_set_long(handle, CURLOPT_SSLVERSION, Int(CURL_SSLVERSION_TLSv1_2))
            let timeout = Int(way.timeout.nanoseconds / 1_000_000)
            unsafe sluice_set_long(handle, CURLOPT_CONNECTTIMEOUT_MS, timeout)
            unsafe sluice_set_long(handle, CURLOPT_TIMEOUT_MS, timeout)
            unsafe sluice_set_long(handle, CURLOPT_IPRESOLVE, way.ipVersion.option)
            // Said explicitly, or curl asks the environment.
            unsafe sluice_set_string(handle, CURLOPT_PROXY, way.proxy?.url ?? "")
            unsafe sluice_set_string(handle, CURLOPT_NOPROXY, "")
            unsafe sluice_set_string(handle, CURLOPT_PROXYUSERNAME, way.proxy?.credentials?.user)
            unsafe sluice_set_string(handle, CURLOPT_PROXYPASSWORD, way.proxy?.credentials?.password)
            unsafe sluice_set_string(handle, CURLOPT_USERAGENT, way.userAgent)
            unsafe CurlTrust.markProxies(of: handle)
            for option in [CURLOPT_CAINFO, CURLOPT_CAPATH, CURLOPT_PROXY_CAINFO, CURLOPT_PROXY_CAPATH] {
                unsafe sluice_set_string(handle, option, nil)
            }
            // Sound: the viewer outlives the handle.
            unsafe sluice_set_pointer(handle, CURLOPT_SSL_CTX_DATA, Unmanaged.passUnretained(viewer).toOpaque())
            unsafe sluice_set_context(handle, prepareView)
            return unsafe curl_easy_perform(handle)
        }
        return try withExtendedLifetime(viewer) { () throws(DownloadError) in
            if let error = viewer.error { throw error }
            if let finding = viewer.finding { return finding }
            let detail = String(decoding: reason.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
            let tunnelStatus = unsafe CurlInfo.long(CURLINFO_HTTP_CONNECTCODE, handle)
            if let refusal = CurlError.refusal(byProxy: tunnelStatus) { throw refusal }
            var progress = CurlError.Progress(hasHead: false, received: 0, expected: nil)
            (progress.tunnelStatus, progress.proxy) = (tunnelStatus, way.proxy)
            progress.headBytes = unsafe CurlInfo.long(CURLINFO_HEADER_SIZE, handle)
            throw CurlError.error(code, detail, host: host, at: progress)
        }
    }
}

/// Looks on in one handshake, and refuses; a proxy on the way is judged, and passed if it is good.
private final class TrustViewer {
    private let host: String
    private let way: TrustProbe.Way
    private let inForce: TrustPolicy
    private let policies: (TrustChain, [EncodedCertificate]) -> [TrustPolicy]
    private let system = SystemAnchors()
    /// Whether the handshake that is prepared is with the proxy; curl shakes one hand at a time.
    private var isAtProxy = false
    var finding: TrustProbe.Finding?
    var error: DownloadError?

    init(
        _ host: String,
        _ way: TrustProbe.Way,
        _ inForce: TrustPolicy,
        _ policies: @escaping (TrustChain, [EncodedCertificate]) -> [TrustPolicy]
    ) {
        (self.host, self.way, self.inForce) = (HostName.plain(host), way, inForce)
        self.policies = policies
    }

    func prepare(_ context: OpaquePointer) { isAtProxy = unsafe CurlTrust.isProxy(context) }

    /// - Returns: Whether the handshake may go on.
    func view(_ verification: OpaquePointer) -> Bool {
        do throws(TrustError) {
            if isAtProxy { return try unsafe judgeProxy(verification) }
            let first = try unsafe TrustExamination(verification, again: TrustMaterial(inForce, system: system))
            let chain = first.shown
            let encoded = first.chain.map { EncodedCertificate(bytes: $0.der, place: "the chain of \(host)") }
            var verdicts: [TrustVerdict] = []
            for policy in policies(chain, encoded) {
                let material = try TrustMaterial(policy, system: system)
                let examination = unsafe TrustExamination(verification, again: material)
                verdicts.append(material.table.verdict(examination.facts(for: host)))
            }
            finding = TrustProbe.Finding(chain: chain, verdicts: verdicts)
        } catch {
            self.error = DownloadError(.tlsFailed, error.message)
        }
        return false
    }

    private func judgeProxy(_ verification: OpaquePointer) throws(TrustError) -> Bool {
        guard let proxy = way.proxy else { return false }
        var policy = TrustPolicy.standard
        policy.authorities = way.proxyAuthorities
        let material = try TrustMaterial(policy, system: system)
        let examination = unsafe TrustExamination(verification, again: material)
        let name = HostName.plain(proxy.bareHost)
        let verdict = material.table.verdict(examination.facts(for: name))
        if verdict.isAccepted { return true }
        let decision = TrustDecision(host: name, verdict: verdict, isReused: false)
        error = TrustRefusal.error(decision, port: String(proxy.port), isProxy: true, examination.shown)
        return false
    }
}

private func prepareView(
    _ handle: UnsafeMutableRawPointer?,
    _ connection: UnsafeMutableRawPointer?,
    _ viewer: UnsafeMutableRawPointer?
) -> CURLcode {
    guard let connection = unsafe connection, let viewer = unsafe viewer else { return CURLE_SSL_CONNECT_ERROR }
    let context = OpaquePointer(connection)
    unsafe Unmanaged<TrustViewer>.fromOpaque(viewer).takeUnretainedValue().prepare(context)
    unsafe SSL_CTX_set_cert_verify_callback(context, refuseAfterView, viewer)
    return CURLE_OK
}

private func refuseAfterView(_ verification: OpaquePointer?, _ viewer: UnsafeMutableRawPointer?) -> Int32 {
    guard let verification = unsafe verification, let viewer = unsafe viewer else { return 0 }
    if unsafe Unmanaged<TrustViewer>.fromOpaque(viewer).takeUnretainedValue().view(verification) {
        unsafe X509_STORE_CTX_set_error(verification, X509_V_OK)
        return 1
    }
    unsafe X509_STORE_CTX_set_error(verification, sluice_refused())
    return 0
}
