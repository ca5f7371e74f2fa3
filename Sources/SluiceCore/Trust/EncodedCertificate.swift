/// A certificate in DER, and where it was read.
public struct EncodedCertificate: Hashable, Sendable {
    public let bytes: [UInt8]
    /// File and line, for errors: `pins.pem:12`.
    public let place: String

    public init(bytes: [UInt8], place: String) { (self.bytes, self.place) = (bytes, place) }

    public static func == (one: Self, other: Self) -> Bool { one.bytes == other.bytes }
    public func hash(into hasher: inout Hasher) { hasher.combine(bytes) }
}
