/// Writes GIF files frame by frame, with everything that an encoder of whole pictures leaves out.
struct GIFWriter {
    struct Frame {
        var left = 0
        var top = 0
        var width: Int
        var height: Int
        /// Colour numbers, `0...3`, row by row; none are as many as it has of colour 0, in few bytes.
        var pixels: [Int]
        /// In hundredths of a second.
        var delay = 10
        var disposal = 0
        var transparent: Int?
    }

    static let colors: [[UInt8]] = [[0, 0, 0, 255], [255, 0, 0, 255], [0, 255, 0, 255], [0, 0, 255, 255]]

    var width: Int
    var height: Int
    var frames: [Frame]
    /// `nil` writes no word about it.
    var loops: Int?

    var file: [UInt8] {
        var file = Array("GIF89a".utf8) + Self.little(width) + Self.little(height) + [0x81, 0, 0]
        for color in Self.colors { file += color.dropLast() }
        if let loops { file += [0x21, 0xFF, 11] + Array("NETSCAPE2.0".utf8) + [3, 1] + Self.little(loops) + [0] }
        for frame in frames {
            let packed = UInt8(frame.disposal << 2 | (frame.transparent == nil ? 0 : 1))
            file += [0x21, 0xF9, 4, packed] + Self.little(frame.delay) + [UInt8(frame.transparent ?? 0), 0]
            file += [0x2C] + Self.little(frame.left) + Self.little(frame.top)
            file += Self.little(frame.width) + Self.little(frame.height) + [0]
            file += frame.pixels.isEmpty ? Self.run(frame.width * frame.height) : Self.codes(frame.pixels)
        }
        return file + [0x3B]
    }

    private static func little(_ value: Int) -> [UInt8] { [UInt8(value & 0xFF), UInt8(value >> 8)] }

    /// Codes of three bits without compression: each is followed by a reset.
    private static func codes(_ pixels: [Int]) -> [UInt8] {
        blocks(pixels.flatMap { [(4, 3), ($0, 3)] } + [(5, 3)])
    }

    /// Codes that each stand for one pixel more than the one before.
    private static func run(_ count: Int) -> [UInt8] {
        var (codes, done): ([(Int, Int)], Int) = ([], 0)
        var width = 3
        while done < count {
            codes += [(4, width), (0, 3)]
            (width, done) = (3, done + 1)
            for code in 6..<4_000 where done < count {
                codes.append((code, width))
                done += code - 4
                if code + 2 > 1 << width { width += 1 }
            }
        }
        return blocks(codes + [(5, width)])
    }

    /// Codes with their widths in bits, in blocks.
    private static func blocks(_ codes: [(Int, Int)]) -> [UInt8] {
        var (bytes, bits, count): ([UInt8], Int, Int) = ([], 0, 0)
        for (code, width) in codes {
            bits |= code << count
            count += width
            while count >= 8 {
                bytes.append(UInt8(bits & 0xFF))
                (bits, count) = (bits >> 8, count - 8)
            }
        }
        if count > 0 { bytes.append(UInt8(bits)) }
        var blocks: [UInt8] = [2]
        for start in stride(from: 0, to: bytes.count, by: 255) {
            let block = bytes[start..<min(bytes.count, start + 255)]
            blocks += [UInt8(block.count)] + block
        }
        return blocks + [0]
    }
}
