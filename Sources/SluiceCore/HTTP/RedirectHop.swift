/// One redirect that a transfer followed.
public struct RedirectHop: Equatable, Sendable {
    /// Hops that are kept of one transfer; of more, the first.
    public static let limit = 10

    /// Of the answer that sent elsewhere.
    public let status: Int
    /// Where it led, without credentials.
    public let url: String

    /// A redirect that was followed.
    public init(status: Int, url: String) { (self.status, self.url) = (status, url) }
}
