/// A body as it goes over the wire, made block by block, so that no body need be whole in memory.
struct BodySource {
    /// A stretch of the wire's bytes.
    private enum Part {
        case bytes([UInt8])
        case pattern(from: Int, count: Int)
        case zeros(Int)

        var count: Int {
            switch self {
            case .bytes(let bytes): bytes.count
            case .pattern(_, let count), .zeros(let count): count
            }
        }
    }

    private static let zeroBlock = [UInt8](repeating: 0, count: 65_536)
    private static let longestStoredBlock = 65_535

    /// Bytes of the whole body as sent.
    let count: Int

    private let body: OriginResponse.Body
    private let encoding: OriginResponse.Encoding?
    /// What was made but not taken, in reverse.
    private var parts: [Part]
    /// The part at hand, and how much of it is taken.
    private var offset = 0
    /// Of the body before encoding, taken into stored blocks so far.
    private var encoded = 0
    private var isComplete: Bool
    private var crc = CRC32()
    private var adler = Adler32()

    init(_ body: OriginResponse.Body, encoding: OriginResponse.Encoding?) {
        (self.body, self.encoding) = (body, encoding)
        guard let encoding else {
            (parts, isComplete, count) = ([Self.part(of: body, 0..<body.count)], true, body.count)
            return
        }
        let header: [UInt8] = encoding == .gzip ? [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 255] : [0x78, 0x01]
        if case .zeros(let zeros) = body {
            let stream = DeflatedZeros(count: zeros)
            crc.updateZeros(zeros)
            adler.updateZeros(zeros)
            (parts, isComplete, count) = ([], true, header.count + stream.count + Self.trailerSize(encoding))
            parts = [
                .bytes(trailer()), .bytes(stream.suffix), .zeros(stream.zeroBytes), .bytes(header + stream.prefix),
            ]
        } else {
            let blocks = max(1, (body.count + Self.longestStoredBlock - 1) / Self.longestStoredBlock)
            count = header.count + 5 * blocks + body.count + Self.trailerSize(encoding)
            (parts, isComplete) = ([.bytes(header)], false)
        }
    }

    /// Takes the next bytes: at least one, at most 64 KiB and `limit`; none at the end.
    mutating func next(_ limit: Int) -> ArraySlice<UInt8> {
        while let part = parts.last {
            guard offset < part.count else {
                parts.removeLast()
                offset = 0
                if parts.isEmpty, !isComplete { appendStoredBlock() }
                continue
            }
            let taken = Self.slice(of: part, from: offset, count: min(limit, part.count - offset))
            offset += taken.count
            return taken
        }
        return []
    }

    private mutating func appendStoredBlock() {
        let size = min(Self.longestStoredBlock, body.count - encoded)
        let data = Self.slice(of: Self.part(of: body, encoded..<encoded + size), from: 0, count: size)
        crc.update(data)
        adler.update(data)
        encoded += size
        isComplete = encoded == body.count
        let (low, high) = (UInt8(size & 0xFF), UInt8(size >> 8))
        let block = [isComplete ? 1 : 0, low, high, ~low, ~high] + data
        parts = isComplete ? [.bytes(trailer()), .bytes(block)] : [.bytes(block)]
    }

    private func trailer() -> [UInt8] {
        if encoding == .deflate { return Self.bytes(of: adler.value.byteSwapped) }
        return Self.bytes(of: crc.value) + Self.bytes(of: UInt32(truncatingIfNeeded: body.count))
    }

    private static func trailerSize(_ encoding: OriginResponse.Encoding) -> Int { encoding == .gzip ? 8 : 4 }

    private static func bytes(of value: UInt32) -> [UInt8] {
        stride(from: UInt32(0), to: 32, by: 8).map { UInt8(truncatingIfNeeded: value >> $0) }
    }

    private static func part(of body: OriginResponse.Body, _ range: Range<Int>) -> Part {
        switch body {
        case .bytes(let bytes): .bytes(range.count == bytes.count ? bytes : Array(bytes[range]))
        case .pattern(_, let from): .pattern(from: from + range.lowerBound, count: range.count)
        case .zeros: .zeros(range.count)
        }
    }

    private static func slice(of part: Part, from offset: Int, count: Int) -> ArraySlice<UInt8> {
        switch part {
        case .bytes(let bytes): bytes[offset..<offset + min(count, 65_536)]
        case .pattern(let from, _): OriginPattern.bytes(from: from + offset, count: count)
        case .zeros: zeroBlock[..<min(count, zeroBlock.count)]
        }
    }
}
