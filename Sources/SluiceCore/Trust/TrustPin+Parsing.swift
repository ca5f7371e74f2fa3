extension TrustPin {
    /// Whether a text is the hash of a key, and not the path of a file.
    public static func isHash(_ text: String) -> Bool { text.hasPrefix("sha256/") }

    /// Reads `sha256/` and the Base64 of 32 bytes.
    ///
    /// - Throws: If it is anything else.
    public static func hash(_ text: String) throws(TrustError) -> TrustPin {
        guard isHash(text), let bytes = Base64.decode(Array(text.dropFirst(7).utf8)), bytes.count == 32 else {
            throw TrustError("\(text) is no pin: write sha256/ and the 44 characters of a key's hash in Base64")
        }
        return .key(sha256: bytes)
    }

    /// A key's hash as one writes it.
    public static func text(sha256 hash: [UInt8]) -> String { "sha256/" + Base64.encode(hash) }
}
