/// A user name and password for one origin.
public struct Credentials: Hashable, Sendable {
    public let user: String
    public let password: String
    public init(user: String, password: String) { (self.user, self.password) = (user, password) }
}
