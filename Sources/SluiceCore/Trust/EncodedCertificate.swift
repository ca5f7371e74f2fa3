/// A certificate in DER, and where it was read.
public struct EncodedCertificate: Hashable, Sendable {
    /// One certificate in DER; nobody has looked into it yet.
    public let bytes: [UInt8]
    /// File and line, for errors: `pins.pem:12`.
    public let place: String

    /// A certificate, and where it stands.
    public init(bytes: [UInt8], place: String) { (self.bytes, self.place) = (bytes, place) }

    public static func == (one: Self, other: Self) -> Bool { one.bytes == other.bytes }
    public func hash(into hasher: inout Hasher) { hasher.combine(bytes) }
}
