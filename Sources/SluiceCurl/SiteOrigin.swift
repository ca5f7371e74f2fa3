/// Scheme, host and port: who gets to see credentials.
struct SiteOrigin: Equatable {
    /// Lower-cased.
    var scheme: String
    /// Lower-cased.
    var host: String
    var port: String

    /// The host without the brackets of an IPv6 address.
    var bareHost: String { host.hasPrefix("[") ? String(host.dropFirst().dropLast()) : host }

    var isHTTP: Bool { scheme == "http" || scheme == "https" }
}
