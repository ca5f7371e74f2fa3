/// A user name and password for one origin.
public struct Credentials: Hashable, Sendable {
    /// As the server knows it: what stood percent-encoded in a URL is decoded.
    public let user: String
    /// As ``user``; it stands in no event and no log.
    public let password: String
    /// What URL, command line, netrc or configuration say of a user.
    public init(user: String, password: String) { (self.user, self.password) = (user, password) }

    /// By their bytes, as a server compares them.
    public static func == (left: Credentials, right: Credentials) -> Bool {
        left.user.hasSameBytes(as: right.user) && left.password.hasSameBytes(as: right.password)
    }
}
