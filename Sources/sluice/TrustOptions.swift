internal import ArgumentParser
internal import Glibc
internal import SluiceCore
internal import SluiceCurl

/// Whom to trust, as the command line says it.
struct TrustOptions: ParsableArguments {
    @Flag(
        help: ArgumentHelp(
            "Accept any certificate, of every host or of the one named next; pins still hold.",
            discussion: "Write --insecure, or --insecure HOST."
        )
    )
    var insecure = false

    // What follows --insecure is read as this, if it is a host.
    @Option(help: .hidden)
    var insecureHost: [String] = []

    @Option(
        name: .customLong("pin"),
        help: ArgumentHelp(
            "Trust a host only with this key, whatever the configuration pins; repeatable.",
            discussion: "A key's hash, sha256/…, or a PEM or DER file with certificates that have the key.",
            valueName: "host=pin"
        )
    )
    var pins: [String] = []

    @Option(
        help: ArgumentHelp(
            "Certificate authorities instead of the system's and the configuration's, in PEM or DER.",
            valueName: "file"
        ),
        completion: .file()
    )
    var cacert: String?

    @Option(
        help: ArgumentHelp(
            "Certificate authorities of a proxy over TLS instead of the system's, in PEM or DER.",
            valueName: "file"
        ),
        completion: .file()
    )
    var proxyCacert: String?

    @Option(
        help: ArgumentHelp("Client certificate for servers that ask for one, in PEM or DER.", valueName: "file"),
        completion: .file()
    )
    var cert: String?

    @Option(
        help: ArgumentHelp("The private key of --cert; without it, the key is in the same file.", valueName: "file"),
        completion: .file()
    )
    var key: String?

    /// Lays the options over what a configuration says, and checks that all of it can be used.
    ///
    /// - Parameter builder: With the configuration.
    /// - Returns: Whom to trust.
    /// - Throws: ``ExitStatus`` after a message that names the option or the file.
    func book(over builder: TrustBookBuilder = TrustBookBuilder()) throws -> TrustBook {
        var builder = builder
        do throws(TrustError) {
            try apply(to: &builder)
            let book = builder.book
            try book.check()
            return book
        } catch {
            throw complain(error.message)
        }
    }

    /// Whose word counts for proxies, checked.
    ///
    /// - Parameter usual: Of the configuration.
    /// - Returns: `nil` means the system's.
    /// - Throws: ``ExitStatus`` after a message that names the file.
    func proxyAuthorities(usual: CertificateFile?) throws -> CertificateFile? {
        do throws(TrustError) {
            guard let path = proxyCacert else { return usual }
            let file = try TrustFile.certificates(path, option: "--proxy-cacert")
            try TrustFile.check(file)
            return file
        } catch {
            throw complain(error.message)
        }
    }

    private func apply(to builder: inout TrustBookBuilder) throws(TrustError) {
        var wishes: [(pattern: HostPattern, pins: [TrustPin])] = []
        for pin in pins { wishes.append(try Self.pin(pin)) }
        do throws(TrustError) {
            // Those of the configuration would let in whom the command line means to keep out.
            try builder.pinOnly(wishes)
        } catch {
            throw TrustError("--pin \(error.message)")
        }
        if let cacert { builder.setAuthorities(try TrustFile.certificates(cacert, option: "--cacert")) }
        if let client = try client() { builder.setClient(client) }
        if insecure { builder.trustAnything(.all) }
        for host in insecureHost {
            guard let pattern = HostPattern(host) else {
                throw TrustError("--insecure \(host): name a host, such as site.example or *.site.example")
            }
            builder.trustAnything(pattern)
        }
    }

    private func client() throws(TrustError) -> ClientIdentity? {
        guard let cert else {
            if let key { throw TrustError("--key \(key) needs the certificate that it belongs to: --cert FILE") }
            return nil
        }
        return try TrustFile.client(cert, key: key, isForNamedHosts: false, option: "--cert", keyOption: "--key")
    }

    private static func pin(_ text: String) throws(TrustError) -> (pattern: HostPattern, pins: [TrustPin]) {
        let shown = RequestURL.withoutCredentials(text)
        guard let equals = text.firstIndex(of: "="), let pattern = HostPattern(String(text[..<equals])) else {
            throw TrustError("--pin \(shown): write HOST=sha256/… or HOST=FILE")
        }
        let value = String(text[text.index(after: equals)...])
        guard !TrustPin.isHash(value) else {
            do throws(TrustError) {
                return (pattern, [try TrustPin.hash(value)])
            } catch {
                throw TrustError("--pin \(shown): \(error.message)")
            }
        }
        return (pattern, try TrustFile.certificates(value, option: "--pin").certificates.map { .certificate($0) })
    }

    /// The arguments with `--insecure HOST` written so that a parser can tell it from `--insecure` and a URL.
    static func withoutOptionalValues(_ arguments: [String]) -> [String] {
        var written: [String] = []
        var index = arguments.startIndex
        while index < arguments.endIndex {
            let argument = arguments[index]
            index += 1
            if argument == "--" { return written + ["--"] + arguments[index...] }
            if argument.hasPrefix("--insecure=") {
                written += ["--insecure-host", String(argument.dropFirst("--insecure=".count))]
            } else if argument == "--insecure", index < arguments.endIndex, isMeantAsHost(arguments[index]) {
                written += ["--insecure-host", arguments[index]]
                index += 1
            } else {
                written.append(argument)
            }
        }
        return written
    }

    /// Anything but an option and a URL: a host that is misspelt must not become all hosts.
    private static func isMeantAsHost(_ text: String) -> Bool {
        guard !text.hasPrefix("-") else { return false }
        return !["http:", "https:", "file:", "data:"].contains { text.prefix($0.count).lowercased() == $0 }
    }
}
