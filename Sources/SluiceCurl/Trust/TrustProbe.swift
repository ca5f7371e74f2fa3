internal import CCurl
internal import COpenSSL
public import SluiceCore

/// Looks at the certificates of a host without asking it for anything.
///
/// Shakes hands as far as the certificates, and refuses whatever they are: no byte of a
/// request is sent. Uses the same judges as transfers do, and the proxy of the environment.
public enum TrustProbe {
    /// What a look brought.
    public struct Finding: Sendable {
        /// What links by signature from the leaf upwards.
        public let chain: TrustChain
        /// What each policy says, in the order asked.
        public let verdicts: [TrustVerdict]
    }

    /// Looks; blocks until the host showed its certificates, or failed to.
    ///
    /// - Parameters:
    ///   - host: A name or an address, without brackets.
    ///   - port: Of the server.
    ///   - timeout: For the whole look.
    ///   - inForce: Whose authorities complete the chain.
    ///   - policies: That are asked what they say of the chain found, which may depend on it.
    /// - Returns: What was found.
    /// - Throws: The cause if there was no handshake, as a transfer would name it.
    public static func look(
        at host: String,
        port: Int,
        timeout: Duration,
        inForce: TrustPolicy,
        policies: @escaping (TrustChain) -> [TrustPolicy]
    ) throws(DownloadError) -> Finding {
        precondition(CurlLibrary.isReady, "libcurl can't be set up")
        let viewer = TrustViewer(host, inForce, policies)
        guard let handle = unsafe curl_easy_init() else { throw DownloadError(.ioError, "out of memory") }
        defer { unsafe curl_easy_cleanup(handle) }
        let text = host.utf8.contains(UInt8(ascii: ":")) ? "[\(host)]" : host
        var reason = [CChar](repeating: 0, count: Int(CURL_ERROR_SIZE))
        let code = unsafe reason.withUnsafeMutableBufferPointer { buffer in
            unsafe sluice_set_pointer(handle, CURLOPT_ERRORBUFFER, buffer.baseAddress)
            unsafe sluice_set_string(handle, CURLOPT_URL, "https://\(text):\(port)/")
            unsafe sluice_set_long(handle, CURLOPT_NOSIGNAL, 1)
            unsafe sluice_set_long(handle, CURLOPT_CONNECT_ONLY, 1)
            unsafe sluice_set_long(handle, CURLOPT_SSLVERSION, Int(CURL_SSLVERSION_TLSv1_2))
            unsafe sluice_set_long(handle, CURLOPT_CONNECTTIMEOUT_MS, Int(timeout.nanoseconds / 1_000_000))
            for option in [CURLOPT_CAINFO, CURLOPT_CAPATH, CURLOPT_PROXY_CAINFO, CURLOPT_PROXY_CAPATH] {
                unsafe sluice_set_string(handle, option, nil)
            }
            // Sound: the viewer outlives the handle.
            unsafe sluice_set_pointer(handle, CURLOPT_SSL_CTX_DATA, Unmanaged.passUnretained(viewer).toOpaque())
            unsafe sluice_set_context(handle, prepareView)
            return unsafe curl_easy_perform(handle)
        }
        return try withExtendedLifetime(viewer) { () throws(DownloadError) in
            if let error = viewer.error { throw DownloadError(.tlsFailed, error.message) }
            if let finding = viewer.finding { return finding }
            let detail = String(decoding: reason.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
            let progress = CurlError.Progress(hasHead: false, received: 0, expected: nil)
            throw CurlError.error(code, detail, host: host, at: progress)
        }
    }
}

/// Looks on in one handshake, and refuses.
private final class TrustViewer {
    private let host: String
    private let inForce: TrustPolicy
    private let policies: (TrustChain) -> [TrustPolicy]
    private let system = SystemAnchors()
    var finding: TrustProbe.Finding?
    var error: TrustError?

    init(_ host: String, _ inForce: TrustPolicy, _ policies: @escaping (TrustChain) -> [TrustPolicy]) {
        (self.host, self.inForce, self.policies) = (HostName.plain(host), inForce, policies)
    }

    func view(_ verification: OpaquePointer) {
        do throws(TrustError) {
            let first = try unsafe TrustExamination(verification, again: TrustMaterial(inForce, system: system))
            let chain = TrustChain(certificates: first.chain.map(\.facts), problem: first.problem)
            var verdicts: [TrustVerdict] = []
            for policy in policies(chain) {
                let material = try TrustMaterial(policy, system: system)
                let examination = unsafe TrustExamination(verification, again: material)
                verdicts.append(material.table.verdict(examination.facts(for: host)))
            }
            finding = TrustProbe.Finding(chain: chain, verdicts: verdicts)
        } catch {
            self.error = error
        }
    }
}

private func prepareView(
    _ handle: UnsafeMutableRawPointer?,
    _ connection: UnsafeMutableRawPointer?,
    _ viewer: UnsafeMutableRawPointer?
) -> CURLcode {
    guard let connection = unsafe connection else { return CURLE_SSL_CONNECT_ERROR }
    unsafe SSL_CTX_set_cert_verify_callback(OpaquePointer(connection), refuseAfterView, viewer)
    return CURLE_OK
}

private func refuseAfterView(_ verification: OpaquePointer?, _ viewer: UnsafeMutableRawPointer?) -> Int32 {
    guard let verification = unsafe verification, let viewer = unsafe viewer else { return 0 }
    unsafe Unmanaged<TrustViewer>.fromOpaque(viewer).takeUnretainedValue().view(verification)
    unsafe X509_STORE_CTX_set_error(verification, sluice_refused())
    return 0
}
