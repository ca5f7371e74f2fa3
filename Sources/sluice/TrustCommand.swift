internal import ArgumentParser
internal import Glibc
internal import SluiceCore
internal import SluiceCurl

/// `sluice trust HOST[:PORT]`: the chain of a host, and what each policy would say.
struct TrustCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "trust",
        abstract: "Look at the certificates of a host, and what each policy would say.",
        discussion: """
            Shakes hands as far as the certificates and asks for nothing. Exit status: 0 if the policy in force \
            accepts the host, 1 if it refuses, or the host can't be reached, 2 if the command line can't be meant.
            """
    )

    @Argument(help: "The host, such as site.example or site.example:8443.")
    var host: String

    @OptionGroup(title: "Trust")
    var trust: TrustOptions

    @Option(
        help: ArgumentHelp(
            "Read this configuration instead of $XDG_CONFIG_HOME/sluice/config.toml.",
            valueName: "file"
        )
    )
    var config: String?

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
        let policy = try trust.book(over: Configuration(path: config).trust).policy(host: url.host, port: url.port)
        let report: TrustReport
        do throws(DownloadError) {
            report = try Self.look(at: url, policy, within: .seconds(connectTimeout))
        } catch {
            _ = complain(error.message)
            throw ExitStatus.failures
        }
        let count = report.chain.certificates.count
        var lines = ["\(report.place) shows \(count == 1 ? "1 certificate" : "\(count) certificates"):", ""]
        lines += report.chainLines + [""] + report.policyLines
        if policy.pinning == .none {
            lines += ["", "To trust it by its key and a backup, put this into config.toml:", ""] + report.configuration
        }
        _ = EventWriter.writeAll(Array((lines.joined(separator: "\n") + "\n").utf8), to: STDOUT_FILENO)
        if !report.isAccepted { throw ExitStatus.failures }
    }

    static func look(
        at url: RequestURL,
        _ policy: TrustPolicy,
        within timeout: Duration
    ) throws(DownloadError) -> TrustReport {
        let finding = try TrustProbe.look(at: url.host, port: url.port, timeout: timeout, inForce: policy) { chain in
            TrustReport.questions(policy, chain).map(\.policy)
        }
        let questions = TrustReport.questions(policy, finding.chain)
        return TrustReport(
            host: url.host,
            port: url.port,
            chain: finding.chain,
            answers: Array(zip(questions, finding.verdicts)),
            time: Glibc.time(nil)
        )
    }

    /// The host as a URL, so that names and addresses are read as everywhere.
    private func place() throws -> RequestURL {
        let text = host.hasPrefix("https://") ? host : "https://" + host
        do throws(DownloadError) {
            let url = try RequestURL(text.hasSuffix("/") ? text : text + "/")
            guard url.credentials == nil, url.origin + "/" == url.url, url.url.hasPrefix("https:") else {
                throw DownloadError(.badURL, "")
            }
            return url
        } catch {
            throw ValidationError("\(host): name a host, such as site.example or site.example:8443.")
        }
    }
}
