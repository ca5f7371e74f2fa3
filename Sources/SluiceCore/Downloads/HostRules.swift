/// What requests carry for their host, beside what they ask for themselves: fields and credentials.
///
/// Made once at start from command line, netrc and configuration file, and applied to every
/// request whatever its way in. Decides only. What identifies a user is bound to the hosts
/// that it was given for; nothing here ever follows a redirect to another origin.
public struct HostRules: Sendable {
    /// One `[[headers]]` section: what it does to the requests to some hosts.
    public struct HeaderRule: Equatable, Sendable {
        /// Whom it concerns.
        public var hosts: HostPattern
        /// Sent beside others of the name.
        public var added: [HeaderField]
        /// Sent in place of others of the name.
        public var replaced: [HeaderField]
        /// Names of fields that are not sent, Sluice's own included.
        public var removed: [String]

        /// A rule that does nothing but what is named.
        public init(
            hosts: HostPattern,
            added: [HeaderField] = [],
            replaced: [HeaderField] = [],
            removed: [String] = []
        ) {
            (self.hosts, self.added, self.replaced, self.removed) = (hosts, added, replaced, removed)
        }

        /// Says nothing of a field any more, whatever the case of its name.
        public mutating func leave(_ name: String) {
            let name = name.lowercased()
            added.removeAll { $0.name.lowercased() == name }
            replaced.removeAll { $0.name.lowercased() == name }
            removed.removeAll { $0.lowercased() == name }
        }
    }

    /// A user name and password for some hosts.
    public struct Login: Equatable, Sendable {
        /// Who may see them.
        public var hosts: HostPattern
        /// What these hosts are told, and no others.
        public var credentials: Credentials

        /// Credentials, bound to the hosts they were given for.
        public init(hosts: HostPattern, credentials: Credentials) {
            (self.hosts, self.credentials) = (hosts, credentials)
        }
    }

    /// What a request sends.
    public struct Fields: Equatable, Sendable {
        /// Of the user, in the order to send.
        public var headers: [HeaderField]
        /// Lower-cased names of fields that Sluice must not add.
        public var removed: [String]
        /// Lower-cased names of fields in `headers` that some hosts alone get: no redirect takes them to another host.
        public var bound: Set<String> = []
        /// Those of them that are for one port: no redirect takes them to another port either.
        public var boundToPort: Set<String> = []

        /// Fields to send, and names that are kept out.
        public init(headers: [HeaderField], removed: [String] = []) {
            (self.headers, self.removed) = (headers, removed)
        }
    }

    /// From the file, in its order.
    public var headerRules: [HeaderRule] = []
    /// From the command line, for all hosts.
    public var headers: [HeaderField] = []
    /// From the command line, for ``namedHosts`` only.
    public var privateHeaders: [HeaderField] = []
    /// For ``namedHosts`` only.
    public var privateCredentials: Credentials?
    /// The hosts of the URLs on the command line.
    public var namedHosts: Set<String> = []
    /// From the command line, for the hosts that it names; the first that matches counts.
    public var logins: [Login] = []
    /// From netrc, which knows less of this run than its command line; the first that matches counts.
    public var netrcLogins: [Login] = []

    /// No rules: every request goes out as it was asked for.
    public init() {}

    /// Names of the fields that identify a user, lower-cased.
    public static let privateNames: Set<String> = ["authorization", "cookie", "proxy-authorization"]

    /// Whether no request is changed by it, whatever its host; then no URL need be taken apart.
    public var isEmpty: Bool {
        headerRules.isEmpty && headers.isEmpty && privateHeaders.isEmpty && privateCredentials == nil && logins.isEmpty
            && netrcLogins.isEmpty
    }

    /// The fields of a request.
    ///
    /// What is nearer to the request wins over what is farther: its own fields over those of the
    /// command line, and these over those of the file. Only `added` ones stand beside others.
    ///
    /// - Parameters:
    ///   - own: That it was submitted with.
    ///   - url: That it asks for.
    /// - Returns: What to send.
    public func fields(_ own: [HeaderField], url: RequestURL) -> Fields {
        var fields = Fields(headers: [])
        let (host, port) = (url.host, headerRules.isEmpty ? 0 : url.port)
        for rule in headerRules where rule.hosts.matches(host: host, port: port) {
            for name in rule.removed.map({ $0.lowercased() }) {
                fields.drop([name])
                fields.removed.append(name)
            }
            fields.put(rule.replaced, isBound: rule.hosts != .all)
            fields.headers += rule.added
            if rule.hosts != .all { fields.bound.formUnion(rule.added.map { $0.name.lowercased() }) }
            if rule.hosts.isOfOnePort {
                fields.boundToPort.formUnion((rule.replaced + rule.added).map { $0.name.lowercased() })
            }
        }
        putGiven(own, host, in: &fields)
        return fields
    }

    /// Whether the command line has fields, so that ``givenFields(_:host:)`` may differ from a request's own.
    public var hasGivenFields: Bool { !headers.isEmpty || !privateHeaders.isEmpty }

    /// The fields of a request with those of the command line, which another one does not have.
    ///
    /// Without those of the file: where that is the same, a request with these sends what ``fields(_:url:)`` says.
    ///
    /// - Parameters:
    ///   - own: That it was submitted with.
    ///   - host: That it asks.
    /// - Returns: What it would have to be submitted with.
    public func givenFields(_ own: [HeaderField], host: String) -> [HeaderField] {
        var fields = Fields(headers: [])
        putGiven(own, host, in: &fields)
        return fields.headers
    }

    private func putGiven(_ own: [HeaderField], _ host: String, in fields: inout Fields) {
        fields.put(headers)
        if namedHosts.contains(host) { fields.put(privateHeaders, isBound: true) }
        fields.put(own)
    }

    /// Who the user is for a URL that names nobody itself.
    public func credentials(for url: RequestURL) -> Credentials? {
        guard privateCredentials != nil || !logins.isEmpty || !netrcLogins.isEmpty else { return nil }
        let (host, port) = (url.host, url.port)
        func own(_ logins: [Login]) -> Credentials? {
            logins.first { $0.hosts != .all && $0.hosts.matches(host: host, port: port) }?.credentials
        }
        if let login = own(logins) { return login }
        if let privateCredentials, namedHosts.contains(host) { return privateCredentials }
        return own(netrcLogins) ?? (logins + netrcLogins).first { $0.hosts == .all }?.credentials
    }
}

extension HostRules {
    /// Whether a user of a URL is known from netrc alone.
    public func isOfNetrc(_ user: Credentials?, for url: RequestURL) -> Bool {
        guard !netrcLogins.isEmpty, let user, credentials(for: url) == user else { return false }
        var given = self
        given.netrcLogins = []
        return given.credentials(for: url) != user
    }
}

extension HostRules.Fields {
    fileprivate mutating func drop(_ names: Set<String>) { headers.removeAll { names.contains($0.name.lowercased()) } }

    /// Adds fields in place of those of their names.
    fileprivate mutating func put(_ fields: [HeaderField], isBound: Bool = false) {
        guard !fields.isEmpty else { return }
        let names = Set(fields.map { $0.name.lowercased() })
        drop(names)
        if isBound { bound.formUnion(names) } else { bound.subtract(names) }
        boundToPort.subtract(names)
        removed.removeAll { names.contains($0) }
        headers += fields
    }
}
