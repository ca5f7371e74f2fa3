internal import Glibc

/// Names of hosts as certificates and handshakes write them.
enum HostName {
    /// Without the final dot, lower-cased.
    static func plain(_ host: String) -> String {
        let host = host.lowercased()
        return host.hasSuffix(".") ? String(host.dropLast()) : host
    }

    static func isAddress(_ host: String) -> Bool {
        var address = in6_addr()
        return unsafe inet_pton(AF_INET6, host, &address) == 1 || inet_pton(AF_INET, host, &address) == 1
    }
}
