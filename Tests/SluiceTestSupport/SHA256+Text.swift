import SluiceCore

/// The SHA-256 of bytes, as requests and history state it.
public func sha256(_ bytes: [UInt8]) -> String {
    var sum = SHA256()
    sum.update(bytes.span)
    return sum.hex()
}
