/// Limits of all transfers together and of each.
public struct TransportLimits: Equatable, Sendable {
    /// Bytes a second for all transfers together, dealt out fairly; 0 means none.
    public var rate = 0
    /// Longest time without a byte; zero means none.
    public var timeout: Duration = .seconds(60)
    /// Longest time to connect, TLS included.
    public var connectTimeout: Duration = .seconds(15)
    /// Redirects that are followed.
    public var maxRedirects = 20
    /// The defaults of the settings.
    public init() {}
}
