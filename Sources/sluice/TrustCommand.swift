internal import ArgumentParser
internal import Glibc
internal import SluiceCore
internal import SluiceCurl

/// `sluice trust HOST[:PORT]`: the chain of a host, and what each policy would say.
struct TrustCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "trust",
        abstract: "Look at the certificates of a host, and what each policy would say.",
        usage: "sluice trust <host>[:<port>] [<options>]",
        discussion: """
            Shakes hands as far as the certificates and asks for nothing. Exit status: 0 if the policy in force \
            accepts the host, 1 if it refuses, or the host can't be reached, 2 if the command line can't be meant.
            """
    )

    @Argument(help: "The host, such as site.example or site.example:8443.")
    var host: String?

    @OptionGroup(title: "Trust")
    var trust: TrustOptions

    @Option(
        help: ArgumentHelp(
            "Read this configuration instead of $XDG_CONFIG_HOME/sluice/config.toml.",
            valueName: "file"
        )
    )
    var config: String?

    @Option(help: ArgumentHelp("Go through a proxy, as in sluice get; '' for none.", valueName: "url"))
    var proxy: String?

    @Option(help: ArgumentHelp("Seconds to connect.", valueName: "s"))
    var connectTimeout: Double = 15

    func validate() throws {
        _ = try place()
        guard connectTimeout > 0, connectTimeout < 1e6 else {
            throw ValidationError("--connect-timeout \(connectTimeout): a time in seconds, such as 1.5.")
        }
    }

    func run() throws {
        let url = try place()
        let configuration = try Configuration(path: config)
        var policy = try trust.book(over: configuration.trust).policy(host: url.host, port: url.port)
        // Advice is for a file that may be anywhere else.
        policy.authorities = policy.authorities.map {
            CertificateFile(path: Self.absolute($0.path), certificates: $0.certificates)
        }
        let proxies: ProxyRules
        do throws(DownloadError) {
            let usual = configuration.defaults.proxy
            proxies = try ProxyRules(named: proxy, environment: { environment($0) }, fallback: usual)
        } catch {
            throw complain(error.message)
        }
        let way = TrustProbe.Way(
            proxy: proxies.proxy(forHost: url.host, isSecure: true),
            timeout: .seconds(connectTimeout)
        )
        let report: TrustReport
        do throws(DownloadError) {
            report = try TrustLook(url: url, inForce: policy, way: way).report()
        } catch {
            _ = complain(error.message)
            throw ExitStatus.failures
        }
        let count = report.chain.certificates.count
        var lines = ["\(report.place) shows \(count == 1 ? "1 certificate" : "\(count) certificates"):", ""]
        lines += report.chainLines + [""] + report.policyLines
        if policy.pinning == .none, let advice = report.advice {
            lines += [""] + advice.sentences
            if !advice.lines.isEmpty { lines += [""] + advice.lines }
        }
        _ = EventWriter.writeAll(Array((lines.joined(separator: "\n") + "\n").utf8), to: STDOUT_FILENO)
        if !report.isAccepted { throw ExitStatus.failures }
    }

    private static func absolute(_ path: String) -> String {
        if path.hasPrefix("/") { return path }
        guard let folder = unsafe getcwd(nil, 0) else { return path }
        defer { unsafe free(folder) }
        return unsafe String(cString: folder) + "/" + path
    }

    private func place() throws -> RequestURL {
        // Optional for the parser alone, which would only say that an argument is missing.
        guard let host, !host.isEmpty else {
            let file = config ?? Configuration.usualPath.map(HomeFolder.abbreviated) ?? "config.toml"
            throw ValidationError(
                "sluice trust looks at one host, and no host was named: sluice trust site.example, or "
                    + "site.example:8443. Which hosts have a policy of their own stands in the [[trust]] "
                    + "sections of \(file)."
            )
        }
        if let url = TrustLook.place(host) { return url }
        throw ValidationError("\(host): name a host, such as site.example or site.example:8443.")
    }
}
