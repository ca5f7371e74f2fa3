/// Whom one host pattern trusts; a value, so that equal policies are one and the same.
///
/// Says what is wanted and never looks at a certificate: ``TrustTable`` decides with
/// it, and the transport collects the facts. Its files are read before it is made, so
/// that a policy means the same for its whole life.
///
/// - SeeAlso: AFNetworking's `AFSecurityPolicy`, whose semantics it has.
public struct TrustPolicy: Hashable, Sendable {
    /// What of a chain is compared with the pins.
    public enum Pinning: String, CaseIterable, Sendable {
        /// Nothing: the chain alone decides.
        case none
        /// The keys: a renewed certificate with the same key still fits.
        case publicKey
        /// Whole certificates, which then are the only anchors.
        case certificate
    }

    /// What of the chain must be pinned.
    public var pinning = Pinning.none
    /// What the chain must contain one of, where ``pinning`` asks for it.
    public var pins: [TrustPin] = []
    /// Whether a chain may be untrusted, out of date or incomplete.
    public var allowInvalid = false
    /// Whether the leaf must name the host.
    public var validatesDomain = true
    /// The anchors, instead of the system's.
    public var authorities: CertificateFile?
    /// What is shown to servers that ask who is there.
    public var client: ClientIdentity?

    /// The policy of a host that nothing was said about; see ``standard``.
    public init() {}

    /// The system's authorities, and the name of the host.
    public static let standard = TrustPolicy()

    /// Whether it accepts what the standard policy would refuse.
    public var isLenient: Bool { allowInvalid || !validatesDomain }

    /// What it does not check, in words around the names of hosts; `nil` if it checks all, or accepts nobody.
    var leniency: (start: String, end: String)? {
        switch (pinning, allowInvalid, validatesDomain) {
        case (_, false, true): return nil
        case (.publicKey, _, _) where pins.isEmpty, (.certificate, _, _) where pins.isEmpty: return nil
        // Rule ① refuses every host.
        case (.none, true, true): return nil
        case (.none, true, false): return ("certificates are not checked for", ": whoever answers there is believed")
        case (.none, false, false):
            let authority = authorities.map { "one of \(VisibleText.visible($0.path, limit: 200))" } ?? "the system's"
            return (
                "names in certificates are not checked for",
                ": whoever has a certificate of an authority that counts (\(authority)) is believed"
            )
        case (.publicKey, true, true):
            return ("only keys and names are checked for", ": the keys are pinned, and nobody need have signed them")
        case (.publicKey, true, false):
            return ("only keys are checked for", ": they are pinned, for any name, and nobody need have signed them")
        case (.certificate, true, true):
            return ("authorities are not asked about", ": the pinned certificates and names are what is checked")
        case (.certificate, true, false):
            return ("only pinned certificates are checked for", ": for any name, and no authority is asked")
        case (.publicKey, false, false), (.certificate, false, false):
            return ("names in certificates are not checked for", ": pins and authorities are")
        }
    }
}
