internal import COpenSSL
internal import Glibc
import SluiceCore

/// What people want to know of a certificate.
extension Certificate {
    var facts: TrustChain.Certificate {
        unsafe TrustChain.Certificate(
            subject: name(X509_get_subject_name(pointer)),
            issuer: name(X509_get_issuer_name(pointer)),
            names: alternativeNames,
            notBefore: seconds(X509_get0_notBefore(pointer)),
            notAfter: seconds(X509_get0_notAfter(pointer)),
            key: keyKind,
            pin: TrustPin.text(sha256: keyHash)
        )
    }

    /// The common name if there is one, else everything.
    private func name(_ name: OpaquePointer?) -> String {
        guard let name = unsafe name else { return "" }
        var common = [CChar](repeating: 0, count: 256)
        let length = unsafe sluice_common_name(name, &common, Int32(common.count))
        if length > 0 {
            return String(decoding: common.prefix(Int(length)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
        }
        guard let output = unsafe BIO_new(BIO_s_mem()) else { return "" }
        defer { unsafe BIO_free(output) }
        guard unsafe sluice_name_text(name, output) >= 0 else { return "" }
        var start: UnsafeMutablePointer<CChar>?
        let count = unsafe sluice_bio_bytes(output, &start)
        return unsafe String(decoding: UnsafeRawBufferPointer(start: start, count: count), as: UTF8.self)
    }

    private var alternativeNames: [String] {
        guard let names = unsafe sluice_alternative_names(pointer) else { return [] }
        defer { unsafe sluice_names_free(names) }
        return unsafe (0..<max(0, sluice_stack_count(names))).compactMap { place in
            guard let name = unsafe sluice_stack_name(names, place) else { return nil }
            return unsafe Self.text(name)
        }
    }

    private static func text(_ name: UnsafeMutablePointer<GENERAL_NAME>) -> String? {
        let type = unsafe sluice_general_name_type(name)
        guard sluice_is_dns(type) != 0 || sluice_is_address(type) != 0 else { return nil }
        guard let value = unsafe sluice_general_name_text(name), let bytes = unsafe ASN1_STRING_get0_data(value)
        else { return nil }
        let count = Int(unsafe ASN1_STRING_length(value))
        if sluice_is_dns(type) != 0 {
            return unsafe String(decoding: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self)
        }
        var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        let family = count == 4 ? AF_INET : AF_INET6
        guard count == 4 || count == 16, unsafe inet_ntop(family, bytes, &text, socklen_t(text.count)) != nil
        else { return nil }
        return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    private func seconds(_ time: UnsafePointer<ASN1_TIME>?) -> Int {
        var calendar = unsafe tm()
        guard let time = unsafe time, unsafe ASN1_TIME_to_tm(time, &calendar) == 1 else { return 0 }
        return unsafe timegm(&calendar)
    }

    private var keyKind: String {
        guard let key = unsafe X509_get0_pubkey(pointer) else { return "unknown" }
        let bits = unsafe EVP_PKEY_get_bits(key)
        if unsafe sluice_is_rsa(key) != 0 { return "RSA \(bits)" }
        if unsafe sluice_is_ec(key) != 0 { return "EC P-\(bits)" }
        guard let name = unsafe EVP_PKEY_get0_type_name(key) else { return "unknown" }
        return unsafe String(cString: name)
    }
}
