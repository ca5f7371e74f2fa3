internal import CCurl
import SluiceCore

/// What a proxy did instead of making a way to the host.
extension CurlError {
    /// Whom a transfer talks to, for sentences; where somebody stands between, either may be the one that does not answer.
    static func way(to host: String, by proxy: ProxyServer?) -> String {
        proxy.map { "\(host), by way of the proxy \($0.host):\($0.port)," } ?? host
    }

    /// - Returns: `nil` where it is not the proxy's doing, or curl's own sentence has to do.
    static func refusal(ofProxy failure: Failure) -> DownloadError? {
        let (detail, host, progress) = (failure.detail, failure.host, failure.progress)
        guard let proxy = progress.proxy else { return nil }
        let name = "the proxy \(proxy.host):\(proxy.port)"
        if failure.code == CURLE_PROXY {
            // To try the same password again may lock its user out.
            if detail.hasPrefix("User was rejected") || detail.hasPrefix("No authentication method") {
                let wish =
                    proxy.credentials == nil
                    ? "wants a user name and password: put them into the proxy's URL"
                    : "does not accept the user name and password: check those in the proxy's URL"
                return DownloadError(.badStatus, "\(name) \(wish)")
            }
            guard let words = socksReply(detail) else { return nil }
            return DownloadError(.cannotConnect, "\(name) did not connect to \(host): \(words)")
        }
        guard !progress.hasHead, progress.tunnelStatus == 0 else { return nil }
        // curl takes all lines before an empty one for a head, and has no status if there was none.
        let isAborted = detail.hasPrefix("Proxy CONNECT aborted") && progress.headBytes > 0
        guard isAborted || detail.hasPrefix("CONNECT tunnel failed, response 0") else { return nil }
        return DownloadError(
            .badResponse,
            "\(name) answered the wish for a tunnel to \(host) with what is no HTTP: "
                + "check --proxy, http_proxy and https_proxy"
        )
    }

    /// What the number means by which a proxy of SOCKS 5 refuses; `nil` if there is none.
    ///
    /// - SeeAlso: RFC 1928 §6
    private static func socksReply(_ detail: String) -> String? {
        guard detail.contains("complete SOCKS5 connection to "), let number = detail.split(separator: "(").last else {
            return nil
        }
        return switch number.prefix(while: \.isNumber) {
        case "1": "general failure; try later"
        case "2": "its rules do not allow that"
        case "3": "the network is unreachable from there"
        case "4": "the host is unreachable from there"
        case "5": "the connection was refused; check host and port"
        case "6": "the TTL expired on the way"
        case "7": "it does not support the command"
        case "8": "it does not support this type of address"
        default: nil
        }
    }
}
