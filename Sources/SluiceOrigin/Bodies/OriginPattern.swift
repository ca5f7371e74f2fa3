/// The bytes of generated bodies: byte `i` is `i % 251`.
///
/// A prime period shows any shift by a block, whatever its size.
public enum OriginPattern {
    static let period = 251
    private static let longestBlock = 65_536
    private static let block = (0..<longestBlock + period).map { UInt8($0 % period) }

    /// The byte at an offset of a pattern.
    public static func byte(at offset: Int) -> UInt8 { UInt8(offset % period) }

    /// At most 64 KiB of the pattern from an offset on, without copying.
    static func bytes(from offset: Int, count: Int) -> ArraySlice<UInt8> {
        let start = offset % period
        return block[start..<start + min(count, longestBlock)]
    }
}
