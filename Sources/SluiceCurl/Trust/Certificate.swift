internal import COpenSSL
import SluiceCore

/// One certificate as OpenSSL holds it; the only owner of its pointer.
@safe
final class Certificate {
    let pointer: OpaquePointer

    /// - Returns: `nil` if the bytes are no certificate in DER, or more than one.
    init?(der: [UInt8]) {
        var start = unsafe UnsafePointer<UInt8>?.none
        let parsed = unsafe der.withUnsafeBufferPointer { bytes -> OpaquePointer? in
            unsafe start = bytes.baseAddress
            guard let made = unsafe d2i_X509(nil, &start, bytes.count) else { return nil }
            if unsafe start == bytes.baseAddress.map({ unsafe $0 + bytes.count }) { return unsafe made }
            unsafe X509_free(made)
            return nil
        }
        guard let parsed = unsafe parsed else {
            ERR_clear_error()
            return nil
        }
        unsafe pointer = parsed
    }

    /// Takes over what a chain holds, which stays valid after the chain is gone.
    init(retaining pointer: OpaquePointer) {
        unsafe X509_up_ref(pointer)
        unsafe self.pointer = pointer
    }

    deinit { unsafe X509_free(pointer) }

    /// SHA-256 of the key with its algorithm: what `sha256/` pins say.
    var keyHash: [UInt8] {
        let key = unsafe X509_get_X509_PUBKEY(pointer)
        let length = unsafe i2d_X509_PUBKEY(key, nil)
        var encoded = [UInt8](repeating: 0, count: max(0, Int(length)))
        unsafe encoded.withUnsafeMutableBufferPointer { bytes in
            var out = bytes.baseAddress
            _ = unsafe i2d_X509_PUBKEY(key, &out)
        }
        var hash = [UInt8](repeating: 0, count: 32)
        unsafe EVP_Digest(encoded, encoded.count, &hash, nil, EVP_sha256(), nil)
        return hash
    }

    /// In DER.
    var der: [UInt8] {
        var encoded = [UInt8](repeating: 0, count: max(0, Int(unsafe sluice_encoded_certificate(pointer, nil))))
        unsafe encoded.withUnsafeMutableBufferPointer { bytes in
            var out = bytes.baseAddress
            _ = unsafe sluice_encoded_certificate(pointer, &out)
        }
        return encoded
    }

    /// Whether the two are the same to the byte.
    func isSame(as other: Certificate) -> Bool { unsafe X509_cmp(pointer, other.pointer) == 0 }

    /// Whether it may sign certificates, by its own extensions.
    ///
    /// - SeeAlso: RFC 5280 §4.2.1.3, §4.2.1.9; `X509_check_ca()`
    var isAuthority: Bool { unsafe X509_check_ca(pointer) > 0 }

    /// Whether the key of `issuer` signed it.
    func isSigned(by issuer: Certificate) -> Bool {
        guard let key = unsafe X509_get0_pubkey(issuer.pointer) else { return false }
        defer { ERR_clear_error() }
        return unsafe X509_verify(pointer, key) == 1
    }

    /// Whether it names a host in its alternative names; the common name doesn't count.
    ///
    /// - Parameter host: A name, or an address without brackets.
    /// - Returns: Whether one of them is it, or stands for it.
    func names(_ host: String) -> Bool {
        let flags = sluice_name_check_flags()
        if HostName.isAddress(host) { return unsafe X509_check_ip_asc(pointer, host, flags) == 1 }
        return unsafe X509_check_host(pointer, host, host.utf8.count, flags, nil) == 1
    }
}
