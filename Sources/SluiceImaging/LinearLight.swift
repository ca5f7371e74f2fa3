internal import Glibc

/// Turns linear light with premultiplied alpha into the usual 8 bits a channel.
enum LinearLight {
    /// The inverse of what libpng takes for sRGB, a plain power, for every value of 16 bits.
    private static let table: [UInt8] = (0...65_535).map { UInt8((pow(Double($0) / 65_535, 1 / 2.2) * 255).rounded()) }

    /// - Parameter light: Four values a pixel, colours not above alpha.
    /// - Returns: Four bytes a pixel, not premultiplied.
    static func encode(_ light: [UInt16]) -> [UInt8] {
        var pixels = [UInt8](repeating: 0, count: light.count)
        for offset in stride(from: 0, to: light.count, by: 4) {
            let alpha = Int(light[offset + 3])
            guard alpha > 0 else { continue }
            for channel in offset..<offset + 3 {
                pixels[channel] = table[min(65_535, (Int(light[channel]) * 65_535 + alpha / 2) / alpha)]
            }
            pixels[offset + 3] = UInt8((alpha * 255 + 32_767) / 65_535)
        }
        return pixels
    }
}
