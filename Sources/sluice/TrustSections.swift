internal import SluiceCore

/// The `[[trust]]` sections of a configuration file: a policy for each host pattern.
enum TrustSections {
    private static let keys = ["host", "pinning", "pins", "allowInvalid", "validatesDomain", "cacert", "cert", "key"]

    /// - Parameter file: Files that it names without `/` or `~` are beside it.
    /// - Returns: All its policies, to be added to by the command line.
    /// - Throws: For what is not allowed, or can't be read, by file and line; also for two sections of one pattern,
    ///   of which one would be forgotten in silence.
    static func read(_ file: ConfigurationFile) throws(ConfigurationError) -> TrustBookBuilder {
        var builder = TrustBookBuilder()
        var lines: [HostPattern: Int] = [:]
        for section in try file.tables("trust") {
            var reader = Section(file: file, line: section.line)
            for entry in section.entries { try reader.take(entry) }
            let (pattern, policy) = try reader.result()
            if let first = lines.updateValue(section.line, forKey: pattern) {
                throw file.error(
                    section.line,
                    "there is a [[trust]] for \(pattern.text) in line \(first) already; put both into one"
                )
            }
            builder.set(pattern, policy)
        }
        return builder
    }

    /// What `proxyCacert` names: whose word counts for proxies.
    ///
    /// - Returns: `nil` if the file says nothing of it.
    /// - Throws: By file and line, if it can't be used.
    static func proxyAuthorities(_ file: ConfigurationFile) throws(ConfigurationError) -> CertificateFile? {
        guard let entry = file.entries.first(where: { $0.key == "proxyCacert" }) else { return nil }
        let section = Section(file: file, line: entry.line)
        let authorities = try section.authorities(entry)
        try section.reading(entry.line) { () throws(TrustError) -> Void in try TrustFile.check(authorities) }
        return authorities
    }

    /// One section as far as it was read.
    private struct Section {
        let file: ConfigurationFile
        let line: Int
        private var hosts: HostPattern?
        private var policy = TrustPolicy.standard
        private var pinning: TrustPolicy.Pinning?
        private var pinsLine: Int?
        private var certificate: (path: String, line: Int)?
        private var key: (path: String, line: Int)?

        init(file: ConfigurationFile, line: Int) { (self.file, self.line) = (file, line) }

        mutating func take(_ entry: ConfigurationFile.Entry) throws(ConfigurationError) {
            switch entry.key {
            case "host":
                let allowed = "a host such as \"site.example\", \"*.site.example\", \"site.example:8443\" or \"*\""
                guard let pattern = entry.node.string.flatMap(HostPattern.init) else {
                    throw file.bad(entry, allowed: allowed)
                }
                hosts = pattern
            case "pinning":
                guard let word = entry.node.string.flatMap(TrustPolicy.Pinning.init) else {
                    throw file.bad(entry, allowed: "\"none\", \"publicKey\" or \"certificate\"")
                }
                pinning = word
            case "pins":
                guard let texts = entry.node.strings else {
                    throw file.bad(entry, allowed: "a list of pins: \"sha256/…\", or PEM or DER files")
                }
                pinsLine = entry.line
                for text in texts { policy.pins += try pins(text, entry.line) }
            case "allowInvalid": policy.allowInvalid = try flag(entry)
            case "validatesDomain": policy.validatesDomain = try flag(entry)
            case "cacert": policy.authorities = try authorities(entry)
            case "cert": certificate = (try path(entry), entry.line)
            case "key": key = (try path(entry), entry.line)
            default: throw file.unknown(entry, allowed: TrustSections.keys)
            }
        }

        func result() throws(ConfigurationError) -> (HostPattern, TrustPolicy) {
            guard let hosts else { throw file.error(line, "[[trust]] needs host; \"*\" means every host") }
            var policy = policy
            policy.pinning = pinning ?? (policy.pins.isEmpty ? .none : .publicKey)
            if let certificate {
                policy.client = try reading(certificate.line) { () throws(TrustError) -> ClientIdentity in
                    try TrustFile.client(
                        certificate.path,
                        key: key?.path,
                        isForNamedHosts: hosts != .all,
                        option: "cert",
                        keyOption: "key"
                    )
                }
            } else if let key {
                throw file.error(key.line, "key needs the certificate that it belongs to: cert")
            }
            let checked = policy
            try reading(pinsLine ?? line) { () throws(TrustError) -> Void in try TrustBookBuilder.check(checked) }
            return (hosts, checked)
        }

        func authorities(_ entry: ConfigurationFile.Entry) throws(ConfigurationError) -> CertificateFile {
            let path = try path(entry)
            return try reading(entry.line) { () throws(TrustError) -> CertificateFile in
                try TrustFile.certificates(path, option: entry.key)
            }
        }

        private func pins(_ text: String, _ line: Int) throws(ConfigurationError) -> [TrustPin] {
            try reading(line) { () throws(TrustError) -> [TrustPin] in
                if TrustPin.isHash(text) { return [try TrustPin.hash(text)] }
                return try TrustFile.certificates(absolute(text), option: "pins").certificates.map { .certificate($0) }
            }
        }

        private func flag(_ entry: ConfigurationFile.Entry) throws(ConfigurationError) -> Bool {
            guard let flag = entry.node.boolean else { throw file.bad(entry, allowed: "true or false") }
            return flag
        }

        private func path(_ entry: ConfigurationFile.Entry) throws(ConfigurationError) -> String {
            guard let text = entry.node.string, !text.isEmpty else {
                throw file.bad(entry, allowed: "the path of a PEM or DER file")
            }
            return absolute(text)
        }

        private func absolute(_ path: String) -> String {
            let path = HomeFolder.expanded(path)
            if path.hasPrefix("/") { return path }
            let own = HomeFolder.expanded(file.path)
            guard let slash = own.lastIndex(of: "/") else { return path }
            return own[...slash] + path
        }

        func reading<Result>(
            _ line: Int,
            _ body: () throws(TrustError) -> Result
        ) throws(ConfigurationError) -> Result {
            do throws(TrustError) { return try body() } catch { throw file.error(line, error.message) }
        }
    }
}
