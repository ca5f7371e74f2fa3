internal import Glibc

/// Tells a host that does not exist from a resolver that has no answer at the moment.
///
/// libcurl reports both alike. Asked only after it failed, and on a thread that may block.
enum HostLookup {
    /// Whether looking the host up fails for now only.
    ///
    /// - Parameter host: A name or a numeric address.
    /// - Returns: `false` if it has an address, or never will.
    /// - SeeAlso: `getaddrinfo(3)`, `EAI_AGAIN`
    static func mayResolveLater(_ host: String) -> Bool {
        var hints = unsafe addrinfo()
        unsafe hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var found: UnsafeMutablePointer<addrinfo>?
        let code = unsafe getaddrinfo(host, nil, &hints, &found)
        if let found = unsafe found { unsafe freeaddrinfo(found) }
        return code == EAI_AGAIN
    }
}
