/// Whom to trust, as a program says it: the words of a `[[trust]]` section.
extension ControlParameters {
    /// The pattern that a call is about.
    mutating func hosts() throws(ControlError) -> HostPattern {
        let text = try required("host", try string("host"))
        guard let pattern = HostPattern(text) else {
            throw .field("host", "is a host such as site.example, *.site.example, site.example:8443 or *")
        }
        return pattern
    }

    /// The whole policy of a pattern.
    mutating func trust(_ context: ControlContext) throws(ControlError) -> TrustChange {
        let pattern = try hosts()
        var policy = TrustPolicy.standard
        for text in try strings("pins") ?? [] { policy.pins += try pins(text, context) }
        policy.pinning = try pinning() ?? (policy.pins.isEmpty ? .none : .publicKey)
        policy.allowInvalid = try flag("allowInvalid") ?? false
        policy.validatesDomain = try flag("validatesDomain") ?? true
        if let path = try file("cacert") {
            policy.authorities = try Self.checked("cacert") { () throws(TrustError) in
                try PEMFile.certificates(try context.readFile(path), path: path)
            }
        }
        policy.client = try client(isForNamedHosts: pattern != .all, context)
        let wanted = policy
        try Self.checked(wanted.pinning == .none ? "pins" : "pinning") { () throws(TrustError) in
            try TrustBookBuilder.check(wanted)
        }
        try Self.checked("trust.set") { () throws(TrustError) in try context.checkTrust(wanted) }
        return .set(pattern, policy)
    }

    private mutating func pinning() throws(ControlError) -> TrustPolicy.Pinning? {
        guard let text = try string("pinning") else { return nil }
        guard let pinning = TrustPolicy.Pinning(rawValue: text) else {
            throw .field("pinning", "is \(TrustPolicy.Pinning.allCases.map(\.rawValue).joined(separator: ", "))")
        }
        return pinning
    }

    private func pins(_ text: String, _ context: ControlContext) throws(ControlError) -> [TrustPin] {
        if !TrustPin.isHash(text) { try Self.checkPath(text, "pins", or: "sha256/…, or ") }
        return try Self.checked("pins") { () throws(TrustError) in
            if TrustPin.isHash(text) { return [try TrustPin.hash(text)] }
            return try PEMFile.certificates(try context.readFile(text), path: text).certificates.map {
                .certificate($0)
            }
        }
    }

    private mutating func client(
        isForNamedHosts: Bool,
        _ context: ControlContext
    ) throws(ControlError) -> ClientIdentity? {
        let key = try file("key")
        guard let path = try file("cert") else {
            if key != nil { throw .field("key", "needs the certificate that it belongs to: cert") }
            return nil
        }
        let chain = try Self.checked("cert") { () throws(TrustError) in
            try PEMFile.certificates(try context.readFile(path), path: path)
        }
        let found = try Self.checked("key") { () throws(TrustError) in
            try PEMFile.privateKey(try context.readFile(key ?? path), path: key ?? path)
        }
        return ClientIdentity(chain: chain, key: found.key, keyPlace: found.place, isForNamedHosts: isForNamedHosts)
    }

    private mutating func file(_ name: String) throws(ControlError) -> String? {
        guard let path = try string(name) else { return nil }
        try Self.checkPath(path, name)
        return path
    }

    /// The program that calls and the one that answers have their own ideas of a current directory.
    private static func checkPath(_ path: String, _ name: String, or: String = "") throws(ControlError) {
        guard path.hasPrefix("/"), !path.utf8.contains(0) else {
            throw .field(
                name,
                "is \(or)the absolute path of a PEM or DER file, not \(path.withVisibleControls.prefix(200))"
            )
        }
    }

    private static func checked<Value>(
        _ name: String,
        _ body: () throws(TrustError) -> Value
    ) throws(ControlError) -> Value {
        do throws(TrustError) { return try body() } catch { throw .field(name, error.message) }
    }
}
