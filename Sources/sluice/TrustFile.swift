internal import CLinux
internal import Glibc
internal import SluiceCore
internal import SluiceCurl

/// Reads the files that trust is made of.
enum TrustFile {
    static func certificates(_ path: String, option: String) throws(TrustError) -> CertificateFile {
        try PEMFile.certificates(try bytes(path, option: option), path: path)
    }

    /// Checks that every certificate of a file can be used.
    static func check(_ file: CertificateFile) throws(TrustError) {
        var policy = TrustPolicy.standard
        policy.authorities = file
        try TrustBook(entries: [], fallback: policy).check()
    }

    /// - Parameters:
    ///   - path: Of the certificate, with what leads to an authority behind it.
    ///   - key: Of the private key; `nil` means the same file.
    ///   - isForNamedHosts: Whether the user named the hosts.
    ///   - option: That named the certificate, for the complaint.
    ///   - keyOption: That named the key.
    /// - Returns: Both, not yet compared with each other.
    /// - Throws: If one of them can't be read.
    static func client(
        _ path: String,
        key: String?,
        isForNamedHosts: Bool,
        option: String,
        keyOption: String
    ) throws(TrustError) -> ClientIdentity {
        let chain = try certificates(path, option: option)
        let keyPath = key ?? path
        let bytes = try bytes(keyPath, option: key == nil ? option : keyOption)
        let found: (key: [UInt8], place: String)
        do throws(TrustError) {
            found = try PEMFile.privateKey(bytes, path: keyPath)
        } catch {
            throw key == nil ? TrustError("\(error.message), or be named by \(keyOption)") : error
        }
        return ClientIdentity(
            chain: chain,
            key: found.key,
            keyPlace: found.place,
            isForNamedHosts: isForNamedHosts
        )
    }

    /// Reads a file that a program named: a pipe or a device, which may never end, is refused.
    static func regular(_ path: String) throws(TrustError) -> [UInt8] {
        var status = stat()
        if unsafe stat(path, &status) == 0 {
            guard status.st_mode & S_IFMT == S_IFREG else { throw TrustError("\(path): this is no plain file") }
            guard status.st_size <= largest else {
                throw TrustError("\(path): certificates and keys take at most \(largest / 1_048_576) MiB")
            }
        }
        do throws(WholeFile.Failure) {
            return try WholeFile.read(path)
        } catch {
            throw TrustError("\(path): \(error.text)")
        }
    }

    /// Bytes of a file that a program names; the authorities of a system take a quarter of a megabyte.
    private static let largest = 8_388_608

    private static func bytes(_ path: String, option: String) throws(TrustError) -> [UInt8] {
        do throws(WholeFile.Failure) {
            return try WholeFile.read(path)
        } catch {
            throw TrustError("\(option) \(path): \(error.text)")
        }
    }
}
