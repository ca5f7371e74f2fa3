internal import COpenSSL
import SluiceCore

/// A private key as OpenSSL holds it.
@safe
final class PrivateKey {
    let pointer: OpaquePointer

    init(_ client: ClientIdentity) throws(TrustError) {
        let parsed = unsafe client.key.withUnsafeBufferPointer { bytes -> OpaquePointer? in
            var start = bytes.baseAddress
            return unsafe d2i_AutoPrivateKey(nil, &start, bytes.count)
        }
        guard let parsed = unsafe parsed else {
            ERR_clear_error()
            throw TrustError("\(client.keyPlace): the key is damaged: what the Base64 holds is no private key")
        }
        unsafe pointer = parsed
    }

    deinit { unsafe EVP_PKEY_free(pointer) }

    func fits(_ certificate: Certificate) -> Bool {
        defer { ERR_clear_error() }
        return unsafe X509_check_private_key(certificate.pointer, pointer) == 1
    }
}
