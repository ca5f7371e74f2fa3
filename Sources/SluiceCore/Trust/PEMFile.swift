/// Takes certificates and keys out of the text or the bytes of a file.
///
/// Knows the wrapping and nothing of what is inside; every complaint names file and line.
public enum PEMFile {
    /// One wrapped object.
    public struct Block: Equatable, Sendable {
        /// Such as `CERTIFICATE`.
        public let label: String
        /// What the Base64 between the lines stands for.
        public let bytes: [UInt8]
        /// Of its first line, from 1.
        public let line: Int
    }

    /// Reads all certificates of a file.
    ///
    /// - Parameters:
    ///   - bytes: Of the file: PEM with one or more certificates, or one certificate in DER.
    ///   - path: For the complaint.
    /// - Returns: At least one.
    /// - Throws: If there is none, or what is there is malformed.
    public static func certificates(_ bytes: [UInt8], path: String) throws(TrustError) -> CertificateFile {
        if bytes.isEmpty { throw TrustError("\(path):1: the file is empty; it must hold a certificate in PEM or DER") }
        if isDER(bytes) {
            return CertificateFile(path: path, certificates: [EncodedCertificate(bytes: bytes, place: path)])
        }
        let names = ["CERTIFICATE", "X509 CERTIFICATE", "TRUSTED CERTIFICATE"]
        let found = try blocks(bytes, path: path).filter { names.contains($0.label) }
        guard !found.isEmpty else {
            throw TrustError("\(path):1: no certificate in it; it must hold -----BEGIN CERTIFICATE----- or DER")
        }
        for block in found where block.label.hasPrefix("TRUSTED") && !isOneSequence(block.bytes) {
            throw TrustError(
                "\(path):\(block.line): the certificate says whom it is trusted for, in OpenSSL's own form; "
                    + "write it plainly with openssl x509 -in … -out …"
            )
        }
        let certificates = found.map { EncodedCertificate(bytes: $0.bytes, place: "\(path):\($0.line)") }
        return CertificateFile(path: path, certificates: certificates)
    }

    /// Reads the private key of a file.
    ///
    /// - Returns: In DER, and its place.
    /// - Throws: If there is none, or it is encrypted or malformed.
    public static func privateKey(_ bytes: [UInt8], path: String) throws(TrustError) -> (key: [UInt8], place: String) {
        if bytes.isEmpty { throw TrustError("\(path):1: the file is empty; it must hold a private key in PEM or DER") }
        if isDER(bytes) { return (bytes, path) }
        for block in try blocks(bytes, path: path) where block.label.hasSuffix("PRIVATE KEY") {
            guard !block.label.hasPrefix("ENCRYPTED"), !block.bytes.isEmpty else {
                throw TrustError(
                    "\(path):\(block.line): the key is encrypted; decrypt it with openssl pkey -in … -out …"
                )
            }
            return (block.bytes, "\(path):\(block.line)")
        }
        throw TrustError("\(path):1: no private key in it; it must hold -----BEGIN PRIVATE KEY----- or DER")
    }

    /// Reads every wrapped object; text around them is ignored.
    static func blocks(_ bytes: [UInt8], path: String) throws(TrustError) -> [Block] {
        var blocks: [Block] = []
        var open: (label: String, line: Int)?
        var digits: [UInt8] = []
        var isEncrypted = false
        for (index, raw) in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).enumerated() {
            let line = raw.last == UInt8(ascii: "\r") ? raw.dropLast() : raw
            let number = index + 1
            if let label = label(of: line, "-----BEGIN ") {
                if let open {
                    throw TrustError("\(path):\(number): a block begins within the one of line \(open.line)")
                }
                (open, digits, isEncrypted) = ((label, number), [], false)
            } else if let label = label(of: line, "-----END ") {
                guard let begin = open else { throw TrustError("\(path):\(number): a block ends that did not begin") }
                guard begin.label == label else {
                    throw TrustError("\(path):\(number): \(label) ends, but \(begin.label) began in line \(begin.line)")
                }
                guard let decoded = isEncrypted ? [] : Base64.decode(digits), isEncrypted || !decoded.isEmpty else {
                    throw TrustError("\(path):\(begin.line): the \(label) is cut short: its Base64 is not whole")
                }
                blocks.append(Block(label: label, bytes: decoded, line: begin.line))
                open = nil
            } else if open != nil {
                // Headers of old encrypted keys.
                if digits.isEmpty, line.contains(UInt8(ascii: ":")) {
                    isEncrypted = isEncrypted || String(decoding: line, as: UTF8.self).contains("ENCRYPTED")
                    continue
                }
                let trimmed = line.filter { $0 != 32 && $0 != 9 }
                if !isEncrypted, let bad = trimmed.first(where: { !isDigit($0) }) {
                    let shown = String(UnicodeScalar(bad)).withVisibleControls
                    throw TrustError("\(path):\(number): '\(shown)' is no Base64; the file is damaged")
                }
                digits += trimmed
            }
        }
        if let open { throw TrustError("\(path):\(open.line): the \(open.label) has no end; the file is cut short") }
        return blocks
    }

    /// A sequence with a long length, which text does not begin with.
    private static func isDER(_ bytes: [UInt8]) -> Bool { bytes.count > 4 && bytes[0] == 0x30 && bytes[1] & 0x80 != 0 }

    /// Whether nothing stands behind the first object of DER, by its length octets (X.690, 8.1.3).
    private static func isOneSequence(_ bytes: [UInt8]) -> Bool {
        guard bytes.count > 1, bytes[1] & 0x80 != 0 else { return bytes.count < 2 || bytes.count == 2 + Int(bytes[1]) }
        let octets = bytes.dropFirst(2).prefix(Int(bytes[1] & 0x7F))
        // What is longer is no certificate of a file that was read.
        guard octets.count <= 4 else { return false }
        return bytes.count == 2 + octets.count + octets.reduce(0) { $0 << 8 | Int($1) }
    }

    private static func label(of line: some Collection<UInt8>, _ start: String) -> String? {
        let text = String(decoding: line, as: UTF8.self)
        guard text.hasPrefix(start), let end = text.dropFirst(start.count).firstIndex(of: "-") else { return nil }
        return String(text[text.index(text.startIndex, offsetBy: start.count)..<end])
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "/"), UInt8(ascii: "="):
            true
        default: false
        }
    }
}
