/// Writes the units of AV1 that come before any picture.
enum AV1Writer {
    /// - Parameters:
    ///   - type: 1 for a sequence header, 2 for the start of a picture, 6 for a frame, 15 for nothing.
    ///   - content: Fewer than 128 bytes.
    /// - Returns: The unit with its size.
    static func unit(_ type: UInt8, _ content: [UInt8]) -> [UInt8] { [type << 3 | 2, UInt8(content.count)] + content }

    /// The content of a sequence header; one that is not reduced has all that may stand before the size.
    static func header(width: Int, height: Int, isReduced: Bool = true) -> [UInt8] {
        let times = [(1, 1), (1, 32), (1, 32), (1, 1), (0b00100, 5), (1, 1), (9, 5), (1, 32), (9, 5), (9, 5)]
        let points = [
            (1, 1), (1, 5), (0, 12), (8, 5), (0, 1), (1, 1), (3, 10), (3, 10), (1, 1), (1, 1), (3, 4),
            (0, 12), (7, 5), (0, 1), (0, 1),
        ]
        var values: [(Int, Int)] = isReduced ? [(0b00011, 5), (0, 5)] : [(0, 5)]
        if !isReduced { values += times + points }
        values += [(15, 4), (15, 4), (width - 1, 16), (height - 1, 16), (1, 1)]
        return bytes(values)
    }

    /// A number of four bytes.
    static func big(_ number: Int) -> [UInt8] { [24, 16, 8, 0].map { UInt8(number >> $0 & 0xFF) } }

    /// Values with their bits, the highest first, filled up with zeros.
    private static func bytes(_ values: [(Int, Int)]) -> [UInt8] {
        var bytes: [UInt8] = []
        var place = 0
        for (value, count) in values {
            for bit in (0..<count).reversed() {
                if place % 8 == 0 { bytes.append(0) }
                bytes[place / 8] |= UInt8(value >> bit & 1) << UInt8(7 - place % 8)
                place += 1
            }
        }
        return bytes
    }
}
