/// Which answers a request may have without asking the origin.
///
/// - SeeAlso: NSURLRequest.CachePolicy, whose cases these follow.
public enum CachePolicy: String, CaseIterable, Sendable {
    /// Memory, then what the HTTP cache may answer with by RFC 9111, then the network.
    case `protocol`
    /// Any stored answer, however stale, else the network.
    case cacheElseLoad
    /// Any stored answer, never the network.
    case cacheOnly
    /// The network, with `Cache-Control: no-cache`, ignoring what is stored.
    case reload
    /// Always asks the origin.
    case revalidate
    /// Any stored answer at once, however stale, and the origin behind it.
    case refresh

    /// Whether an image in memory may answer.
    package var usesMemory: Bool {
        switch self {
        case .protocol, .cacheElseLoad, .cacheOnly, .refresh: true
        case .reload, .revalidate: false
        }
    }
}
