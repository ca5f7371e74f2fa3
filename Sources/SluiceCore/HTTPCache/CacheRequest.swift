/// A request as the HTTP cache sees it: what selects a stored response, and what the request says of caching.
///
/// What most requests have in common is behind one reference, which they share.
public struct CacheRequest: Sendable {
    /// What does not depend on the URL.
    private final class Shared: Sendable {
        let method: String
        let fields: [HeaderField]
        let owner: Fingerprint
        let control: CacheControl
        let isPartial: Bool
        let saysWhoAsks: Bool
        let hasUnknownCookies: Bool
        let stores: Bool

        init(
            _ method: String,
            _ fields: [HeaderField],
            _ owner: Fingerprint,
            _ control: CacheControl,
            isPartial: Bool,
            saysWhoAsks: Bool,
            hasUnknownCookies: Bool,
            stores: Bool
        ) {
            (self.method, self.fields, self.owner, self.control) = (method, fields, owner, control)
            (self.isPartial, self.hasUnknownCookies, self.stores) = (isPartial, hasUnknownCookies, stores)
            self.saysWhoAsks = saysWhoAsks
        }
    }

    /// Normalised, without credentials.
    public private(set) var url: String
    /// What may answer it; the request's own policy, else that of the settings.
    public private(set) var policy: CachePolicy
    private let shared: Shared

    /// `GET` is the only method whose answers are stored.
    public var method: String { shared.method }
    /// All fields that are sent, those of the user and Sluice's own.
    public var fields: [HeaderField] { shared.fields }
    /// Of credentials, of a trust that is not the standard one, and of a `Host` of the user's own, which may lead to another
    /// site; ``Fingerprint/none`` without.
    ///
    /// What was stored for one owner answers no other.
    public var owner: Fingerprint { shared.owner }
    /// What its fields say of caching, `Pragma: no-cache` included where there is no `Cache-Control`.
    public var control: CacheControl { shared.control }
    /// Whether the user asks for a part or makes a condition: such a request has an answer of its own.
    public var isPartial: Bool { shared.isPartial }
    /// Whether it has credentials, a cookie or a `Host` of the user's own, which are for one origin.
    var saysWhoAsks: Bool { shared.saysWhoAsks }
    /// Whether cookies may be sent that this does not know, so that `Vary: Cookie` can't be compared.
    public var hasUnknownCookies: Bool { shared.hasUnknownCookies }
    /// Whether the user lets its answer be kept.
    public var stores: Bool { shared.stores }

    /// - Parameters:
    ///   - url: Normalised, without credentials.
    ///   - method: Upper-cased.
    ///   - fields: All fields that are sent.
    ///   - credentials: User name and password.
    ///   - trust: The mark of the policy that the host is trusted by; see ``TrustBook/mark(host:port:)``.
    ///   - policy: What may answer.
    ///   - hasUnknownCookies: Whether cookies were taken, which the transport then sends.
    ///   - stores: Whether its answer may be kept.
    public init(
        url: String,
        method: String = "GET",
        fields: [HeaderField],
        credentials: Credentials? = nil,
        trust: String = "",
        policy: CachePolicy = .protocol,
        hasUnknownCookies: Bool = false,
        stores: Bool = true
    ) {
        (self.url, self.policy) = (url, policy)
        var control = CacheControl(fields)
        // What HTTP/1.0 had instead counts only where the field of today is missing.
        if fields.has("pragma"), !fields.has("cache-control") {
            for value in fields.values(of: "pragma") { control.read(Self.pragma(value)) }
        }
        let isPartial = fields.contains { field in
            field.isNamed("range") || field.isNamed("if-match") || field.isNamed("if-none-match")
                || field.isNamed("if-modified-since") || field.isNamed("if-unmodified-since")
                || field.isNamed("if-range")
        }
        shared = Shared(
            method,
            fields,
            Self.owner(fields, credentials, trust),
            control,
            isPartial: isPartial,
            saysWhoAsks: Self.saysWhoAsks(fields, credentials),
            hasUnknownCookies: hasUnknownCookies,
            stores: stores
        )
    }

    /// The same request for another URL that is trusted as this one is, and asked by the same user.
    public func with(url: String) -> CacheRequest {
        var request = self
        request.url = url
        return request
    }

    /// The same request under another policy.
    public func with(_ policy: CachePolicy) -> CacheRequest {
        var request = self
        request.policy = policy
        return request
    }

    /// What the values of some fields are, for comparing.
    ///
    /// - Parameter names: Lower-cased, in a fixed order.
    /// - Returns: `nil` if that can't be known.
    func selector(_ names: [String]) -> Fingerprint? {
        if names.isEmpty { return Fingerprint.none }
        if names.contains("*") || (hasUnknownCookies && names.contains("cookie")) { return nil }
        // A missing field and an empty one are two things.
        return Fingerprint(
            names.map { "\($0)\0" + (fields.combined($0).map { "=\($0)" } ?? "") }.joined(separator: "\0")
        )
    }

    private static func saysWhoAsks(_ fields: [HeaderField], _ credentials: Credentials?) -> Bool {
        let names: [StaticString] = ["authorization", "cookie", "host"]
        return credentials != nil || names.contains { fields.has($0) }
    }

    private static func owner(_ fields: [HeaderField], _ credentials: Credentials?, _ trust: String) -> Fingerprint {
        guard !trust.isEmpty || saysWhoAsks(fields, credentials) else { return .none }
        let authorization = fields.values(of: "authorization").joined(separator: "\0")
        let cookie = fields.values(of: "cookie").joined(separator: "\0")
        let user = credentials.map { "\($0.user)\0\($0.password)" } ?? ""
        let whom = trust.isEmpty ? "" : "\0\0\0\(trust)"
        let site = fields.has("host") ? "\0\0\0\0\(fields.values(of: "host").joined(separator: "\0"))" : ""
        return Fingerprint("\(authorization)\0\0\(cookie)\0\0\(user)\(whom)\(site)")
    }

    private static func pragma(_ value: String) -> String {
        value.lowercased().split(separator: ",").contains { $0.trimmingBlanks == "no-cache" } ? "no-cache" : ""
    }
}
