/// Limits of all transfers together and of each.
public struct TransportLimits: Equatable, Sendable {
    /// Bytes a second for all transfers together, dealt out fairly; 0 means none.
    public var rate = 0
    /// Longest time without a byte; zero means none.
    public var timeout: Duration = .seconds(60)
    /// Longest time to connect where none is set.
    public static let usualConnectTimeout: Duration = .seconds(15)
    /// Longest time to connect, TLS included; zero becomes the usual one, and not none.
    public var connectTimeout = usualConnectTimeout {
        didSet { if connectTimeout <= .zero { connectTimeout = Self.usualConnectTimeout } }
    }
    /// Redirects that are followed.
    public var maxRedirects = 20
    /// The defaults of the settings.
    public init() {}
}
