/// Which proxy a URL goes through: what the user named, or what the environment says.
///
/// Pure: the environment is passed in, and read nowhere else.
///
/// - SeeAlso: curl's manual on `--proxy` and the environment, whose rules these are.
public struct ProxyRules: Equatable, Sendable {
    /// For `http` URLs.
    public private(set) var http: ProxyServer?
    /// For `https` URLs.
    public private(set) var https: ProxyServer?
    /// Hosts that are asked directly.
    private var direct: [Exception] = []

    private enum Exception: Equatable {
        case all
        /// A host, and all below it.
        case host(String)
        /// An IPv4 network.
        case network(UInt32, mask: UInt32)
        /// An IPv6 network; one address is the smallest.
        case wideNetwork(UInt128, mask: UInt128)
    }

    /// No proxy.
    public init() {}

    /// - Parameters:
    ///   - named: Of the command line; an empty text means no proxy at all.
    ///   - environment: Of the process; gives the value of a variable.
    ///   - fallback: Of the configuration file.
    /// - Throws: `badURL`, with a sentence that names the option or the variable.
    public init(
        named: String?,
        environment: (String) -> String?,
        fallback: String? = nil
    ) throws(DownloadError) {
        if let hosts = environment("no_proxy") ?? environment("NO_PROXY") {
            direct = hosts.split { $0 == "," || $0 == " " }.compactMap(Self.exception)
        }
        if let named {
            http = try Self.server(named, from: "--proxy")
            https = http
            return
        }
        // An empty variable says that there is none; what no variable speaks of is as the file says.
        let usual = try fallback.flatMap { text throws(DownloadError) in try Self.server(text, from: "proxy") }
        let all = try Self.variable(["all_proxy", "ALL_PROXY"], environment) ?? usual
        // Not HTTP_PROXY: in a CGI program that is a header of the request.
        http = try Self.variable(["http_proxy"], environment) ?? all
        https = try Self.variable(["https_proxy", "HTTPS_PROXY"], environment) ?? all
    }

    /// Whether every URL is asked for directly.
    public var isEmpty: Bool { http == nil && https == nil }

    /// Which way URLs go, as a text that tells these rules from others; empty where there is no proxy.
    ///
    /// Users of proxies are in it, and their passwords are not.
    public var text: String {
        if isEmpty { return "" }
        let exceptions = direct.map { exception -> String in
            switch exception {
            case .all: "*"
            case .host(let name): name
            case .network(let network, let mask): "\(network)/\(mask)"
            case .wideNetwork(let network, let mask): "\(network)/\(mask)"
            }
        }
        return ([Self.text(of: http), Self.text(of: https)] + exceptions).joined(separator: "\n")
    }

    private static func text(of server: ProxyServer?) -> String {
        guard let server else { return "" }
        guard let user = server.credentials?.user else { return server.url }
        return server.url + " " + user
    }

    /// The proxy for a host.
    ///
    /// - Parameters:
    ///   - host: Lower-cased; an IPv6 address with or without brackets.
    ///   - isSecure: Whether the URL is `https`.
    /// - Returns: `nil` if it is asked directly.
    public func proxy(forHost host: String, isSecure: Bool) -> ProxyServer? {
        guard let proxy = isSecure ? https : http else { return nil }
        var host = host.hasPrefix("[") ? String(host.dropFirst().dropLast()) : host
        if host.hasSuffix(".") { host.removeLast() }
        let address = Self.address(host[...])
        let wideAddress = IPv6Address.number(host.prefix { $0 != "%" })
        let isDirect = direct.contains { exception in
            switch exception {
            case .all: true
            case .host(let name): host == name || address == nil && host.hasSuffix("." + name)
            case .network(let network, let mask): address.map { $0 & mask == network } ?? false
            case .wideNetwork(let network, let mask): wideAddress.map { $0 & mask == network } ?? false
            }
        }
        return isDirect ? nil : proxy
    }

    /// What the first variable that is set says: a proxy, or that there is none; `nil` if none is set.
    private static func variable(
        _ names: [String],
        _ environment: (String) -> String?
    ) throws(DownloadError) -> ProxyServer?? {
        for name in names {
            if let value = environment(name) { return .some(try server(value, from: name)) }
        }
        return nil
    }

    private static func server(_ text: String, from source: String) throws(DownloadError) -> ProxyServer? {
        guard !text.isEmpty else { return nil }
        do throws(DownloadError) {
            return try ProxyServer(text)
        } catch {
            throw DownloadError(.badURL, "\(source): \(error.message)")
        }
    }

    private static func exception(_ text: Substring) -> Exception? {
        if text == "*" { return .all }
        if let slash = text.firstIndex(of: "/") {
            let start = text[..<slash]
            guard let bits = Int(text[text.index(after: slash)...]) else { return nil }
            if let address = IPv6Address.number(withoutBrackets(start)) {
                guard (0...128).contains(bits) else { return nil }
                let mask = UInt128.max << (128 - bits)
                return .wideNetwork(address & mask, mask: mask)
            }
            guard let address = address(start), (0...32).contains(bits) else { return nil }
            let mask = bits == 0 ? 0 : UInt32.max << UInt32(32 - bits)
            return .network(address & mask, mask: mask)
        }
        var name = text.lowercased()
        while name.hasPrefix(".") || name.hasPrefix("*.") { name.removeFirst() }
        name = String(withoutBrackets(name[...]))
        if name.hasSuffix(".") { name.removeLast() }
        if let address = IPv6Address.number(name[...]) { return .wideNetwork(address, mask: .max) }
        // URLs have international names in ASCII; what can't be written so is the name of no host.
        if !name.utf8.allSatisfy({ $0 < 0x80 }) { name = Punycode.encode(host: name) ?? "" }
        return name.isEmpty ? nil : .host(IPv4Address.canonical(name.utf8) ?? name)
    }

    private static func withoutBrackets(_ text: Substring) -> Substring {
        text.hasPrefix("[") && text.hasSuffix("]") ? text.dropFirst().dropLast() : text
    }

    /// A dotted IPv4 address as a number.
    private static func address(_ text: Substring) -> UInt32? {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 4 else { return nil }
        return parts.reduce(UInt32?.some(0)) { number, part in
            guard let number, let byte = UInt8(part) else { return nil }
            return number << 8 | UInt32(byte)
        }
    }
}
