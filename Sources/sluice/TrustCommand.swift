internal import ArgumentParser
internal import Glibc
internal import SluiceCore
internal import SluiceCurl
internal import SluiceSystem
internal import SluiceUI

/// `sluice trust HOST[:PORT]`: the chain of a host, and what each policy would say.
struct TrustCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "trust",
        abstract: "Look at the certificates of a host, and what each policy would say.",
        usage: "sluice trust <host>[:<port>] [<options>]",
        discussion: """
            Shakes hands as far as the certificates and asks for nothing. Exit status: 0 if the policy in force \
            accepts the host, 1 if it refuses, the host can't be reached, or its pin can't be saved, 2 if the \
            command line is invalid.
            """
    )

    @Argument(help: "The host, such as site.example or site.example:8443.")
    var host: String?

    @OptionGroup(title: "Trust")
    var trust: TrustOptions

    @Flag(
        name: .customLong("save-pin"),
        help: ArgumentHelp(
            "Pin its key, and the next one up as a backup, in the configuration.",
            discussion: "Adds a [[trust]] section, unless one names the host already, and changes nothing else."
        )
    )
    var savesPin = false

    @Option(
        help: ArgumentHelp(
            "Read this configuration instead of $XDG_CONFIG_HOME/sluice/config.toml.",
            valueName: "file"
        )
    )
    var config: String?

    @Option(help: ArgumentHelp("Go through a proxy, as in sluice get; '' for none.", valueName: "url"))
    var proxy: String?

    @Option(help: ArgumentHelp("Seconds to connect, as in sluice get.", valueName: "s"))
    var connectTimeout: String?

    func validate() throws {
        _ = try place()
        _ = try timeout([])
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
            proxies = try ProxyRules(named: proxy, environment: Environment.variable, fallback: usual)
        } catch {
            throw complain(error.message)
        }
        var way = TrustProbe.Way(
            proxy: proxies.proxy(forHost: url.host, isSecure: true),
            timeout: try timeout(configuration.settings)
        )
        way.proxyAuthorities = try trust.proxyAuthorities(usual: configuration.proxyAuthorities)
        way.userAgent = configuration.defaults.userAgent ?? "Sluice/\(Version.current)"
        let look = TrustLook(url: url, inForce: policy, way: way)
        let report = try report(of: look)
        let count = report.chain.certificates.count
        try show(["\(report.place) shows \(count == 1 ? "1 certificate" : "\(count) certificates"):", ""])
        try show(report.chainLines + [""] + report.policyLines)
        if savesPin { return try savePin(report, look, configuration) }
        if policy.pinning == .none { try showAdvice(of: report) }
        if !report.isAccepted { throw ExitStatus.failures }
    }

    /// The time to connect: of the command line, else of the settings of the file.
    private func timeout(_ usual: [(name: String, text: String)]) throws -> Duration {
        let name = "connectTimeout"
        guard let text = connectTimeout ?? usual.last(where: { $0.name == name })?.text else {
            return Settings().connectTimeout
        }
        var settings = Settings()
        do throws(SettingError) {
            _ = try settings.apply(try Settings.parse(name, text))
        } catch {
            throw ValidationError("--connect-timeout \(text): \(error.message)")
        }
        return settings.connectTimeout
    }

    private func report(of look: TrustLook) throws -> TrustReport {
        do throws(DownloadError) {
            return try look.report()
        } catch {
            throw complain(error.message, status: .failures)
        }
    }

    private func showAdvice(of report: TrustReport) throws {
        guard let advice = report.advice else { return }
        try show([""] + advice.sentences)
        if !advice.lines.isEmpty { try show([""] + advice.lines) }
    }

    private func show(_ lines: [String]) throws {
        try StandardOutput.write(lines: lines)
    }

    /// Pins what a look found, as the screen does; whoever asks for it by name need not be asked.
    private func savePin(_ report: TrustReport, _ look: TrustLook, _ configuration: Configuration) throws {
        guard let path = configuration.place else {
            throw complain("nothing says where the configuration is: name it by --config", status: .failures)
        }
        let pins = report.chain.certificates.prefix(2).map(\.pin)
        guard !pins.isEmpty else { throw complain("\(report.place) showed no key to pin", status: .failures) }
        let file = TrustPinFile(path: path)
        let draft = try complaining { () throws(TrustError) -> PinDraft in
            try file.draft(host: report.place, url: look.url, pins: pins)
        }
        // Judged by what the file is going to say, before it says so.
        let builder = try complaining { () throws(TrustError) -> TrustBookBuilder in try file.trust(with: draft) }
        var again = look
        again.inForce = try trust.book(over: builder).policy(host: look.url.host, port: look.url.port)
        let pinned = try self.report(of: again)
        guard pinned.isAccepted else {
            try showAdvice(of: report)
            let why = pinned.inForce.map { ", by rule \($0.verdict.rule.rawValue): \($0.verdict.reason)" } ?? ""
            throw complain("nothing is pinned: \(report.place) would be refused still\(why)", status: .failures)
        }
        try complaining { () throws(TrustError) -> Void in try file.write(draft) }
        try show(["", "pinned \(report.place) in \(draft.file ?? path):", ""] + draft.lines)
        // What the command line excused is not written, and the next command may not say it.
        let alone = builder.book.policy(host: look.url.host, port: look.url.port)
        if alone == again.inForce { return }
        again.inForce = alone
        guard let verdict = try self.report(of: again).inForce?.verdict, !verdict.isAccepted else { return }
        let refusal = "rule \(verdict.rule.rawValue) refuses it: \(VisibleText.visible(verdict.reason, limit: 300))."
        try show(["", "The pin holds only beside the options of this command: without them \(refusal)"])
    }

    private func complaining<Result>(_ body: () throws(TrustError) -> Result) throws -> Result {
        do throws(TrustError) {
            return try body()
        } catch {
            throw complain(error.message, status: .failures)
        }
    }

    private static func absolute(_ path: String) -> String {
        if path.hasPrefix("/") { return path }
        guard let folder = unsafe getcwd(nil, 0) else { return path }
        defer { unsafe free(folder) }
        return unsafe String(cString: folder) + "/" + path
    }

    private func place() throws -> RequestURL {
        // Optional for the parser alone, which would only say that an argument is missing. The word behind --insecure
        // is the host that is looked at, if there is no other.
        guard let host = host ?? trust.insecureHost.last, !host.isEmpty else {
            let file = config ?? Configuration.usualPath.map(HomeFolder.abbreviated) ?? "config.toml"
            throw ValidationError(
                "sluice trust looks at one host, and no host was named: sluice trust site.example, or "
                    + "site.example:8443. Which hosts have a policy of their own stands in the [[trust]] "
                    + "sections of \(file)."
            )
        }
        if let url = RequestURL(secureHost: host) { return url }
        throw ValidationError(
            "\(RequestURL.withoutCredentials(host)): name a host, such as site.example or site.example:8443."
        )
    }
}
