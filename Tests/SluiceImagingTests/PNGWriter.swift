@testable import SluiceOrigin

/// Writes PNG files of every kind that the encoder cannot make, byte by byte; pixels are not compressed.
struct PNGWriter {
    enum Color: Int, CaseIterable {
        case grey = 0
        case rgb = 2
        case palette = 3
        case greyAlpha = 4
        case rgba = 6

        var channels: Int {
            switch self {
            case .grey, .palette: 1
            case .greyAlpha: 2
            case .rgb: 3
            case .rgba: 4
            }
        }
    }

    var depth = 8
    var color = Color.rgb
    var isInterlaced = false

    /// The value of a channel, in `depth` bits.
    static func sample(x: Int, y: Int, channel: Int, depth: Int) -> Int {
        (x * 7 + y * 13 + channel * 29) * 37 % (1 << depth)
    }

    func file(width: Int, height: Int) -> [UInt8] {
        let passes =
            isInterlaced
            ? [(0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2), (0, 1, 1, 2)]
            : [(0, 0, 1, 1)]
        var rows: [UInt8] = []
        for (left, top, stepX, stepY) in passes where left < width {
            for y in stride(from: top, to: height, by: stepY) {
                rows += [0] + row(y, Array(stride(from: left, to: width, by: stepX)))
            }
        }
        var file = Self.start(width: width, height: height, depth: depth, color: color, isInterlaced: isInterlaced)
        if color == .palette {
            file += Self.chunk("PLTE", (0..<1 << depth).flatMap { [UInt8($0), UInt8(255 - $0), UInt8($0 / 2)] })
        }
        return file + Self.chunk("IDAT", Self.zlib(rows)) + Self.chunk("IEND", [])
    }

    /// Signature and header, for files that claim anything.
    static func start(
        width: Int,
        height: Int,
        depth: Int = 8,
        color: Color = .rgb,
        isInterlaced: Bool = false
    )
        -> [UInt8]
    {
        [0x89, 0x50, 0x4E, 0x47, 13, 10, 26, 10]
            + chunk(
                "IHDR",
                big(width) + big(height) + [UInt8(depth), UInt8(color.rawValue), 0, 0, isInterlaced ? 1 : 0]
            )
    }

    static func chunk(_ type: String, _ data: [UInt8]) -> [UInt8] {
        let checked = Array(type.utf8) + data
        var crc = CRC32()
        crc.update(checked[...])
        return big(data.count) + checked + big(Int(crc.value))
    }

    private static func zlib(_ bytes: [UInt8]) -> [UInt8] {
        var source = BodySource(.bytes(bytes), encoding: .deflate)
        var stream: [UInt8] = []
        while stream.count < source.count { stream += source.next(65_536) }
        return stream
    }

    private static func big(_ value: Int) -> [UInt8] { [24, 16, 8, 0].map { UInt8(value >> $0 & 0xFF) } }

    private func row(_ y: Int, _ columns: [Int]) -> [UInt8] {
        var bits = BigBits()
        for x in columns {
            for channel in 0..<color.channels {
                bits.append(Self.sample(x: x, y: y, channel: channel, depth: depth), count: depth)
            }
        }
        return bits.bytes
    }

    private struct BigBits {
        var bytes: [UInt8] = []
        private var used = 0

        mutating func append(_ value: Int, count: Int) {
            for bit in (0..<count).reversed() {
                if used == 0 { bytes.append(0) }
                bytes[bytes.count - 1] |= UInt8((value >> bit & 1) << (7 - used))
                used = (used + 1) % 8
            }
        }
    }
}
