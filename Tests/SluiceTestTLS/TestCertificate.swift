internal import COpenSSL
internal import Glibc

/// A certificate with its key, made by a test.
///
/// Says exactly what a test wants, mistakes included. Never meant to be trusted by anybody.
@safe
public final class TestCertificate: Sendable {
    /// What a certificate says of itself.
    public struct Wishes: Sendable {
        /// Common name; also that of the subject.
        public var subject: String
        /// DNS names and addresses; without any there is no such extension.
        public var names: [String] = []
        /// Seconds from now.
        public var begins = -3_600
        /// Seconds from now.
        public var ends = 90 * 86_400
        /// Whether it may sign others.
        public var isAuthority = false

        /// - Parameters:
        ///   - subject: Common name; also that of the subject.
        ///   - change: Sets what else is wished for, so that a certificate is put together in one expression.
        public init(_ subject: String, _ change: (inout Self) -> Void = { _ in }) {
            self.subject = subject
            change(&self)
        }
    }

    // Sound: OpenSSL's reference counts are atomic, and nothing changes either after `init`.
    nonisolated(unsafe) let certificate: OpaquePointer
    nonisolated(unsafe) let key: OpaquePointer
    public let subject: String

    /// - Parameters:
    ///   - wishes: What it says.
    ///   - issuer: Who signs it; `nil` signs itself.
    ///   - claimedIssuer: Whose subject it names as its issuer, whoever signs.
    ///   - sharedKey: Whose key it has; `nil` makes one.
    public init(
        _ wishes: Wishes,
        by issuer: TestCertificate? = nil,
        claiming claimedIssuer: TestCertificate? = nil,
        keyOf sharedKey: TestCertificate? = nil
    ) {
        subject = wishes.subject
        if let sharedKey {
            unsafe EVP_PKEY_up_ref(sharedKey.key)
            unsafe key = sharedKey.key
        } else {
            guard let made = unsafe sluice_new_key() else { preconditionFailure("no key could be made") }
            unsafe key = made
        }
        guard let made = unsafe X509_new() else { preconditionFailure("out of memory for a certificate") }
        unsafe certificate = made
        unsafe X509_set_version(made, 2)
        var serial = UInt64.random(in: 1...(.max >> 1))
        unsafe ASN1_INTEGER_set_uint64(X509_get_serialNumber(made), serial)
        serial = 0
        unsafe X509_gmtime_adj(X509_getm_notBefore(made), wishes.begins)
        unsafe X509_gmtime_adj(X509_getm_notAfter(made), wishes.ends)
        unsafe X509_set_pubkey(made, key)
        unsafe Self.name(X509_get_subject_name(made), wishes.subject)
        let namedIssuer = claimedIssuer ?? issuer
        if let namedIssuer {
            unsafe X509_set_issuer_name(made, X509_get_subject_name(namedIssuer.certificate))
        } else {
            unsafe Self.name(X509_get_issuer_name(made), wishes.subject)
        }
        if wishes.isAuthority {
            unsafe Self.add(NID_basic_constraints, "critical,CA:TRUE", to: made)
            unsafe Self.add(NID_key_usage, "critical,keyCertSign,cRLSign", to: made)
        }
        if !wishes.names.isEmpty {
            let names = wishes.names.map { Self.isAddress($0) ? "IP:\($0)" : "DNS:\($0)" }
            unsafe Self.add(NID_subject_alt_name, names.joined(separator: ","), to: made)
        }
        let signer = unsafe issuer?.key ?? key
        unsafe X509_sign(made, signer, EVP_sha256())
    }

    /// One of a server, which signs no others.
    ///
    /// - Parameters:
    ///   - names: DNS names and addresses.
    ///   - issuer: Who signs it; `nil` signs itself.
    ///   - change: Sets what else is wished for.
    /// - Returns: The certificate, with a key of its own.
    public static func leaf(
        _ names: [String],
        by issuer: TestCertificate?,
        _ change: (inout Wishes) -> Void = { _ in }
    ) -> TestCertificate {
        var wishes = Wishes("Leaf")
        wishes.names = names
        change(&wishes)
        return TestCertificate(wishes, by: issuer)
    }

    deinit {
        unsafe X509_free(certificate)
        unsafe EVP_PKEY_free(key)
    }

    /// The hash of its key as one pins it.
    public var pin: String {
        let encoded = unsafe Self.encoded { unsafe i2d_X509_PUBKEY(X509_get_X509_PUBKEY(certificate), $0) }
        var hash = [UInt8](repeating: 0, count: 32)
        unsafe EVP_Digest(encoded, encoded.count, &hash, nil, EVP_sha256(), nil)
        var text = [UInt8](repeating: 0, count: 45)
        unsafe EVP_EncodeBlock(&text, hash, 32)
        return "sha256/" + String(decoding: text.prefix(44), as: UTF8.self)
    }

    public var der: [UInt8] { unsafe Self.encoded { unsafe i2d_X509(certificate, $0) } }

    public var pem: String { Self.wrapped("CERTIFICATE", der) }

    public var keyPEM: String {
        Self.wrapped("EC PRIVATE KEY", unsafe Self.encoded { unsafe sluice_private_key(key, $0) })
    }

    private static func encoded(
        _ encode: (UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>?) -> Int32
    ) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: max(0, Int(encode(nil))))
        unsafe bytes.withUnsafeMutableBufferPointer { buffer in
            var out = buffer.baseAddress
            _ = unsafe encode(&out)
        }
        return bytes
    }

    private static func wrapped(_ label: String, _ bytes: [UInt8]) -> String {
        var text = [UInt8](repeating: 0, count: (bytes.count + 2) / 3 * 4 + 1)
        unsafe EVP_EncodeBlock(&text, bytes, Int32(bytes.count))
        var rest = text.dropLast()[...]
        var lines = ["-----BEGIN \(label)-----"]
        while !rest.isEmpty {
            lines.append(String(decoding: rest.prefix(64), as: UTF8.self))
            rest = rest.dropFirst(64)
        }
        return (lines + ["-----END \(label)-----", ""]).joined(separator: "\n")
    }

    private static func name(_ name: OpaquePointer?, _ text: String) {
        unsafe sluice_add_common_name(name, text)
    }

    private static func add(_ extension: Int32, _ value: String, to certificate: OpaquePointer) {
        guard let made = unsafe X509V3_EXT_conf_nid(nil, nil, `extension`, value) else {
            preconditionFailure("no such extension: \(value)")
        }
        unsafe X509_add_ext(certificate, made, -1)
        unsafe X509_EXTENSION_free(made)
    }

    private static func isAddress(_ name: String) -> Bool {
        name.utf8.allSatisfy { $0 == UInt8(ascii: ".") || (48...57).contains($0) }
            || name.utf8.contains(UInt8(ascii: ":"))
    }
}
