internal import COpenSSL

/// Certificates that need no other to be trusted.
@safe
final class TrustAnchors {
    let store: OpaquePointer

    /// - Parameter certificates: Of whatever kind; a leaf may be an anchor too.
    init(_ certificates: [Certificate]) {
        unsafe store = Self.emptyStore()
        for certificate in certificates { unsafe X509_STORE_add_cert(store, certificate.pointer) }
    }

    /// - Parameter path: A PEM file with all of them; without any there is no store.
    init?(path: String) {
        unsafe store = Self.emptyStore()
        guard unsafe X509_STORE_load_file(store, path) == 1 else {
            ERR_clear_error()
            return nil
        }
    }

    deinit { unsafe X509_STORE_free(store) }

    private static func emptyStore() -> OpaquePointer {
        guard let store = unsafe X509_STORE_new() else { preconditionFailure("out of memory for certificates") }
        unsafe X509_STORE_set_flags(store, sluice_partial_chain())
        return unsafe store
    }
}
