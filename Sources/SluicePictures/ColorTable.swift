internal import SluiceCore

/// The colours of a GIF: at most 256, one of them transparent.
struct ColorTable {
    /// Three bytes for each colour; as many colours as a power of two.
    let colors: [UInt8]
    let transparent: Int?
    private let exact: [UInt32: UInt8]?

    /// Takes the colours of the bitmaps if they are few enough, else an even spread over all colours.
    init(_ bitmaps: [Bitmap]) {
        var found: [UInt32: UInt8] = [:]
        var list: [UInt8] = []
        var hasTransparency = false
        search: for bitmap in bitmaps {
            for offset in stride(from: 0, to: bitmap.pixels.count, by: 4) {
                guard bitmap.pixels[offset + 3] >= 128 else {
                    hasTransparency = true
                    continue
                }
                let color = Self.color(bitmap, offset)
                guard found[color] == nil else { continue }
                guard found.count < 255 else {
                    list = []
                    break search
                }
                found[color] = UInt8(found.count)
                list += bitmap.pixels[offset..<offset + 3]
            }
        }
        if list.isEmpty, !found.isEmpty {
            exact = nil
            transparent = 252
            colors = Self.spread + [UInt8](repeating: 0, count: 12)
        } else {
            exact = found
            transparent = hasTransparency ? found.count : nil
            let needed = max(2, found.count + (hasTransparency ? 1 : 0))
            var size = 2
            while size < needed { size *= 2 }
            colors = list + [UInt8](repeating: 0, count: size * 3 - list.count)
        }
    }

    /// The index for a pixel; colours that are not in the table are dithered by position.
    func index(_ bitmap: Bitmap, x: Int, y: Int) -> UInt8 {
        let offset = (y * bitmap.width + x) * 4
        if bitmap.pixels[offset + 3] < 128, let transparent { return UInt8(transparent) }
        if let exact { return exact[Self.color(bitmap, offset)] ?? 0 }
        let threshold = Self.bayer[(y & 3) * 4 + x & 3]
        let levels = zip(bitmap.pixels[offset..<offset + 3], Self.levels).map { value, count in
            (Int(value) * (count - 1) * 16 + threshold * 255) / (255 * 16)
        }
        return UInt8((levels[0] * 7 + levels[1]) * 6 + levels[2])
    }

    /// Shades of red, green and blue: 6 × 7 × 6 colours.
    private static let levels = [6, 7, 6]
    private static let bayer = [0, 8, 2, 10, 12, 4, 14, 6, 3, 11, 1, 9, 15, 7, 13, 5]
    private static let spread: [UInt8] = (0..<252).flatMap { (index: Int) -> [UInt8] in
        let (red, green, blue) = (index / 42, index / 6 % 7, index % 6)
        return [UInt8(red * 51), UInt8(green * 255 / 6), UInt8(blue * 51)]
    }

    private static func color(_ bitmap: Bitmap, _ offset: Int) -> UInt32 {
        UInt32(bitmap.pixels[offset]) << 16 | UInt32(bitmap.pixels[offset + 1]) << 8 | UInt32(bitmap.pixels[offset + 2])
    }
}
