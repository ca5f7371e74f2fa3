internal import ArgumentParser
internal import Glibc
internal import SluiceCore
internal import SluiceSystem

/// Options that say how the requests of a command line are made, beside their URLs.
struct RequestArguments: ParsableArguments {
    @Option(
        name: .customLong("header"),
        help: ArgumentHelp("Add or replace a request header; repeatable.", valueName: "N: V")
    )
    var headers: [String] = []

    @Option(help: ArgumentHelp("Send this User-Agent.", valueName: "text"))
    var userAgent: String?

    @Option(help: ArgumentHelp("Use another method, such as POST; such a request is never merged.", valueName: "m"))
    var method: String?

    @Option(
        help: ArgumentHelp(
            "Send this body, or that of @FILE, by POST unless --method says else.",
            valueName: "text|@file"
        )
    )
    var data: String?

    @Option(help: ArgumentHelp("Check the body of the one URL; a wrong one is kept as NAME.bad.", valueName: "hex"))
    var sha256: String?

    @Option(
        name: .customLong("user"),
        help: ArgumentHelp(
            "Who the user is on the hosts of the URLs given here, or on HOST; repeatable.",
            valueName: "[host=]u:p"
        )
    )
    var users: [String] = []

    @Flag(inversion: .prefixedNo, help: "Take user names and passwords from $NETRC, else ~/.netrc.")
    var netrc: Bool?

    @Flag(inversion: .prefixedNo, help: "Send and take cookies (default: --cookies).")
    var cookies: Bool?

    @Option(
        help: ArgumentHelp(
            "Go through this proxy: http, https, socks4, socks4a, socks5 or socks5h; '' for none.",
            discussion: "Written as [kind://][user:password@]host[:port]; without it the environment says which.",
            valueName: "url"
        )
    )
    var proxy: String?

    @Flag(inversion: .prefixedNo, help: "Let a redirect lead from https to http.")
    var allowDowngrade: Bool?

    func validate() throws {
        _ = try headers.map(Self.field)
        guard userAgent?.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) ?? true else {
            throw ValidationError("--user-agent: a header can't contain control characters.")
        }
        _ = try usualMethod()
        _ = try users.map(Self.login)
        if let sha256 {
            guard sha256.utf8.count == 64, sha256.allSatisfy(\.isHexDigit) else {
                throw ValidationError("--sha256 \(sha256): a SHA-256 is 64 hexadecimal digits.")
            }
        }
    }

    /// Checks what depends on the URLs.
    ///
    /// - Parameters:
    ///   - urlCount: URLs on the command line.
    ///   - hasList: Whether lists add more.
    /// - Throws: A complaint, if an option is for one URL only.
    func check(urlCount: Int, hasList: Bool) throws {
        guard sha256 == nil || urlCount == 1 && !hasList else {
            throw ValidationError("--sha256 checks one body: give exactly one URL and no list.")
        }
    }

    /// Takes what was not given from the configuration.
    mutating func fill(_ defaults: Configuration.Defaults) {
        userAgent = userAgent ?? defaults.userAgent
        netrc = netrc ?? (defaults.netrc == true && Self.isNetrcToBeRead)
        cookies = cookies ?? defaults.noCookies.map { !$0 }
        allowDowngrade = allowDowngrade ?? defaults.allowDowngrade
    }

    // MARK: Requests

    /// Which URLs go through a proxy.
    ///
    /// - Parameter fallback: Of the configuration.
    /// - Returns: For the transport.
    /// - Throws: ``ExitStatus`` after a message that names option or variable.
    func proxies(fallback: String?) throws -> ProxyRules {
        do throws(DownloadError) {
            return try ProxyRules(named: proxy, environment: Environment.variable, fallback: fallback)
        } catch {
            throw complain(error.message)
        }
    }

    /// The options of every request of this command line.
    ///
    /// - Parameter saves: Whether bodies become files.
    /// - Returns: The same for all of them.
    /// - Throws: ``ExitStatus`` after a message, if the file of `--data` can't be read.
    func options(saves: Bool) throws -> RequestOptions {
        let body = try self.body()
        // What asks for a part or compares is the request's own: its answer is another one.
        return RequestOptions(
            headers: try headers.map(Self.field).filter(\.asksForPart),
            saves: saves,
            method: try usualMethod() ?? (body == nil ? "GET" : "POST"),
            body: body,
            sha256: sha256?.lowercased()
        )
    }

    /// That a user, or a field that says who asks, is told nobody: no URL on the command line names a host for it.
    ///
    /// What to do comes first, since a row of the screen may end behind it.
    ///
    /// - Parameter rules: Made of these arguments.
    /// - Returns: `nil` where none is without a host.
    func noteOnUsers(_ rules: HostRules) -> String? {
        guard rules.namedHosts.isEmpty else { return nil }
        if rules.privateCredentials != nil {
            return "write --user HOST=USER:PASSWORD: no URL on the command line names a host"
        }
        guard let name = rules.privateHeaders.first?.name else { return nil }
        return """
            put --header \(name) under [[headers]] of the configuration file: \
            no URL on the command line names a host
            """
    }

    /// What requests carry for their hosts.
    ///
    /// - Parameter urls: Those on the command line, whose hosts alone hear who the user is.
    /// - Returns: For the pipeline.
    /// - Throws: ``ExitStatus`` after a message, if the netrc file can't be read.
    func hostRules(urls: [String]) throws -> HostRules {
        var rules = HostRules()
        // What asks for a part or compares belongs to the requests of this command line alone; see ``options(saves:)``.
        let fields = try headers.map(Self.field).filter { !$0.asksForPart }
        rules.headers = fields.filter { !HostRules.privateNames.contains($0.name.lowercased()) }
        rules.privateHeaders = fields.filter { HostRules.privateNames.contains($0.name.lowercased()) }
        rules.namedHosts = Set(urls.compactMap(Self.host))
        for login in try users.map(Self.login) {
            if let hosts = login.hosts {
                rules.logins.append(HostRules.Login(hosts: hosts, credentials: login.credentials))
            } else {
                rules.privateCredentials = login.credentials
            }
        }
        if netrc == true { rules.netrcLogins = try Self.netrcLogins() }
        return rules
    }

    /// Of the file whose bytes are sent; `nil` if none are, or they are given in words.
    var dataPath: String? { data.flatMap { $0.hasPrefix("@") ? String($0.dropFirst()) : nil } }

    /// In bytes: it is held in memory, and a device has no end.
    private static let longestBody = 1_073_741_824

    private func body() throws -> [UInt8]? {
        guard let data else { return nil }
        guard let path = dataPath else { return Array(data.utf8) }
        do throws(WholeFile.Failure) {
            return try WholeFile.read(path, limit: Self.longestBody)
        } catch {
            throw complain("--data: can't read \(path): \(error.text)")
        }
    }

    private func usualMethod() throws -> String? {
        guard let method else { return nil }
        let usual = method.uppercased()
        guard usual.isToken, !["CONNECT", "TRACE"].contains(usual) else {
            throw ValidationError(
                "--method \(method): a method is a word such as GET, HEAD, POST, PUT, PATCH, DELETE or OPTIONS."
            )
        }
        if data != nil, usual == "HEAD" { throw ValidationError("--method HEAD and --data exclude each other.") }
        return usual
    }

    private static func host(of url: String) -> String? {
        do throws(DownloadError) { return try RequestURL(url).host } catch { return nil }
    }

    /// What `NETRC` names; else where the file usually is.
    private static var netrcPath: (path: String, isNamed: Bool)? {
        if let named = Environment.variable("NETRC"), !named.isEmpty { return (named, true) }
        return Environment.variable("HOME").map { ($0 + "/.netrc", false) }
    }

    /// Whether there is a file for who wants it read wherever there is one.
    private static var isNetrcToBeRead: Bool {
        guard let (path, isNamed) = netrcPath else { return false }
        let isThere = unsafe access(path, F_OK) == 0
        return isNamed || isThere || errno != ENOENT
    }

    private static func netrcLogins() throws -> [HostRules.Login] {
        guard let path = netrcPath?.path else {
            throw complain("--netrc: neither NETRC nor HOME says where the file is")
        }
        let bytes: [UInt8]
        do throws(WholeFile.Failure) {
            bytes = try WholeFile.read(path)
        } catch {
            throw complain("--netrc: can't read \(path): \(error.text)")
        }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw complain("--netrc: \(path) must be UTF-8, or it would send another password than it says")
        }
        do throws(NetrcFile.Problem) {
            return try NetrcFile.parse(text)
        } catch {
            throw complain("\(path):\(error.line): \(error.message)")
        }
    }

    // MARK: Reading values

    /// Reads `Name: value`; complaints repeat the first word alone, since what follows may be a password.
    private static func field(_ line: String) throws -> HeaderField {
        let word = line.prefix { $0.isLetter || $0.isNumber || $0 == "-" || $0 == "_" }
        let start = word.isEmpty ? "--header" : "--header '\(word)'"
        guard let colon = line.firstIndex(of: ":"), colon != line.startIndex else {
            throw ValidationError("\(start): write it as 'Name: value'.")
        }
        let name = line[..<colon].trimmed
        let value = line[line.index(after: colon)...].trimmed
        do throws(HeaderFieldError) {
            return try HeaderField(checking: name, value)
        } catch {
            throw ValidationError("\(start): \(error.text).")
        }
    }

    /// Reads `[HOST=]USER:PASSWORD`; complaints don't repeat what may be a password.
    private static func login(_ text: String) throws -> (hosts: HostPattern?, credentials: Credentials) {
        let mistake = ValidationError("--user: write it as USER:PASSWORD, or HOST=USER:PASSWORD for another host.")
        var rest = text[...]
        var hosts: HostPattern?
        if let equals = rest.firstIndex(of: "="), isHost(rest[..<equals]) {
            guard let pattern = HostPattern(String(rest[..<equals])) else { throw mistake }
            hosts = pattern
            rest = rest[rest.index(after: equals)...]
        }
        guard let colon = rest.firstIndex(of: ":"), colon != rest.startIndex else { throw mistake }
        let password = String(rest[rest.index(after: colon)...])
        return (hosts, Credentials(user: String(rest[..<colon]), password: password))
    }

    /// Whether what stands before `=` is a host, and not a user whose password holds one.
    private static func isHost(_ text: Substring) -> Bool {
        if text.hasPrefix("[") { return true }
        guard let colon = text.firstIndex(of: ":") else { return true }
        let port = text[text.index(after: colon)...]
        return !port.isEmpty && port.allSatisfy { ("0"..."9").contains($0) }
    }
}
