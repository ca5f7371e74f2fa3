/// Tells texts apart without keeping them: two hashes of 64 bits.
///
/// For secrets that must not lie about on disk, and for lookups. Not for what an attacker may choose.
public struct Fingerprint: Hashable, Sendable {
    /// The FNV-1a hash of the text.
    public var first: UInt64
    /// Another hash of the same text: a collision of one is none of both.
    public var second: UInt64

    /// One that was stored.
    public init(first: UInt64, second: UInt64) { (self.first, self.second) = (first, second) }

    /// Of nothing at all.
    public static let none = Fingerprint(first: 0, second: 0)

    /// Tells a text from others, without keeping it.
    ///
    /// - Complexity: O(bytes)
    public init(_ text: String) {
        first = Self.hash(text)
        // From another start and over other bytes, so that a collision of one is none of both.
        var hash: UInt64 = 0x9AE1_6A3B_2F90_404F
        let bytes = text.utf8.span
        for index in bytes.indices { hash = (hash ^ UInt64(bytes[index] &+ 0x5D)) &* 0x9DDF_EA08_EB38_2D69 }
        second = hash ^ (hash >> 29)
    }

    /// FNV-1a, 64 bits.
    public static func hash(_ text: String) -> UInt64 {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        let bytes = text.utf8.span
        for index in bytes.indices { hash = (hash ^ UInt64(bytes[index])) &* 0x0000_0100_0000_01B3 }
        return hash
    }
}
