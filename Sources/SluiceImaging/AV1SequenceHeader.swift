/// What a sequence header of AV1 says of the pictures behind it: no decoder takes a larger one.
///
/// - SeeAlso: AV1 Bitstream & Decoding Process Specification §5.3 (units) and §5.5 (this header).
struct AV1SequenceHeader: Equatable {
    /// Of the largest picture, in pixels.
    let width: Int
    /// As ``width``.
    let height: Int

    /// Reads one; `nil` if no decoder takes it.
    ///
    /// - Parameter bytes: From the header on, without type and size of its unit.
    init?(_ bytes: Span<UInt8>) {
        var bits = Bits()
        let profile = bits.take(3, bytes)
        // Whether the picture is a still one.
        bits.skip(1)
        let isReduced = bits.take(1, bytes) == 1
        if isReduced { bits.skip(5) } else { Self.skipOperatingPoints(&bits, bytes) }
        let (widthBits, heightBits) = (bits.take(4, bytes) + 1, bits.take(4, bytes) + 1)
        (width, height) = (bits.take(widthBits, bytes) + 1, bits.take(heightBits, bytes) + 1)
        if profile > 2 || bits.isShort { return nil }
    }

    /// The largest width and height of all headers in what a decoder gets at once; `nil` without any.
    ///
    /// Where decoders give up, it may go on: it finds every header that one of them does.
    ///
    /// - Parameters:
    ///   - bytes: Of one picture or one frame.
    ///   - steps: Counted down; at 0 it gives up.
    /// - Returns: In pixels.
    static func largest(in bytes: Span<UInt8>, _ steps: inout Int) -> (width: Int, height: Int)? {
        var largest: (width: Int, height: Int)?
        var offset = 0
        while offset < bytes.count, steps > 0 {
            steps -= 1
            let head = bytes[offset]
            offset += 1
            // Zeros may stand between frames.
            if head == 0 { continue }
            if head & 4 != 0 { offset += 1 }
            guard offset <= bytes.count else { break }
            // Without a size, a unit goes to the end.
            var size = bytes.count - offset
            if head & 2 != 0 {
                guard let given = number(bytes, at: &offset), given <= bytes.count - offset else { break }
                size = given
            }
            if head >> 3 & 15 == 1, let header = AV1SequenceHeader(bytes.extracting(offset..<bytes.count)) {
                largest = (max(largest?.width ?? 0, header.width), max(largest?.height ?? 0, header.height))
            }
            offset += size
        }
        return largest
    }

    /// A number of up to eight bytes, of seven bits each; the lowest come first.
    private static func number(_ bytes: Span<UInt8>, at offset: inout Int) -> Int? {
        var number = 0
        for shift in stride(from: 0, to: 56, by: 7) {
            guard offset < bytes.count else { return nil }
            let byte = bytes[offset]
            offset += 1
            number |= Int(byte & 0x7F) << shift
            if byte & 0x80 == 0 { return number }
        }
        return nil
    }

    private static func skipOperatingPoints(_ bits: inout Bits, _ bytes: Span<UInt8>) {
        var delayBits: Int?
        let hasTimes = bits.take(1, bytes) == 1
        if hasTimes {
            bits.skip(64)
            // Frames of equal length: how long they are has as many bits as zeros stand before its one.
            if bits.take(1, bytes) == 1 {
                var zeros = 0
                while zeros < 32, bits.take(1, bytes) == 0 { zeros += 1 }
                bits.skip(zeros)
            }
            if bits.take(1, bytes) == 1 {
                delayBits = bits.take(5, bytes) + 1
                bits.skip(42)
            }
        }
        let hasDisplayDelays = bits.take(1, bytes) == 1
        for _ in 0...bits.take(5, bytes) {
            bits.skip(12)
            let level = bits.take(5, bytes)
            if level > 7 { bits.skip(1) }
            if let delayBits, bits.take(1, bytes) == 1 { bits.skip(2 * delayBits + 1) }
            if hasDisplayDelays, bits.take(1, bytes) == 1 { bits.skip(4) }
        }
    }

    /// A place between bits; the highest of a byte comes first.
    private struct Bits {
        private var place = 0
        /// Whether bits were taken that are not there; they are 0.
        private(set) var isShort = false

        mutating func take(_ count: Int, _ bytes: Span<UInt8>) -> Int {
            var value = 0
            for _ in 0..<count {
                let (byte, bit) = place.quotientAndRemainder(dividingBy: 8)
                place += 1
                value <<= 1
                if byte < bytes.count { value |= Int(bytes[byte]) >> (7 - bit) & 1 } else { isShort = true }
            }
            return value
        }

        mutating func skip(_ count: Int) { place += count }
    }
}
