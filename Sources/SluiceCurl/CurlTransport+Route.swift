internal import SluiceCore

extension CurlTransport.Configuration {
    /// What of it decides who answers and what that is told, as a text: the `route` of a pipeline's configuration.
    ///
    /// Who vouches for proxies is in it as a hash, and of their users only the names.
    public var route: String {
        let version =
            switch ipVersion {
            case .any: "any"
            case .v4: "IPv4"
            case .v6: "IPv6"
            }
        let direct = "\(version)\n\(cookies ? "cookies" : "none")\n\(authorities ?? "")"
        if proxies.isEmpty { return direct }
        let certificates = (proxyAuthorities?.certificates ?? []).map { Base64.encode($0.bytes) }
        let vouching = String(Fingerprint.hash(certificates.joined(separator: " ")), radix: 36)
        return direct + "\n" + vouching + "\n" + proxies.text
    }
}
