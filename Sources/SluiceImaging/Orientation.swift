internal import SluiceCore

/// Which way up a stored picture is shown, as EXIF numbers the eight ways.
struct Orientation: Equatable {
    static let upright = Orientation(1)

    /// As in EXIF: `1...8`.
    let value: Int

    /// - Parameter value: `1...8`; anything else means upright.
    init(_ value: Int) { self.value = (1...8).contains(value) ? value : 1 }

    /// What HEIF's properties say: first turned, then mirrored.
    ///
    /// - Parameters:
    ///   - quarters: Quarter turns against the clock. `0...3`
    ///   - mirror: `nil` for none, 0 for top and bottom exchanged, 1 for left and right.
    init(quarters: Int, mirror: Int?) {
        let turned = [1, 8, 3, 6]
        let upsideDown = [4, 5, 2, 7]
        let leftRight = [2, 7, 4, 5]
        let index = quarters & 3
        self.init(mirror == nil ? turned[index] : mirror == 0 ? upsideDown[index] : leftRight[index])
    }

    /// Whether width and height change places.
    var isSideways: Bool { value >= 5 }

    /// What decoding needs beside the bitmap, in bytes.
    func extraBytes(width: Int, height: Int) -> Int { value == 1 ? 0 : width * height * 4 }

    /// Turns and mirrors a bitmap until it stands upright.
    func apply(to bitmap: Bitmap) -> Bitmap {
        guard value != 1 else { return bitmap }
        let (width, height) = (bitmap.width, bitmap.height)
        let (newWidth, newHeight) = isSideways ? (height, width) : (width, height)
        let (start, right, down) = steps(width, height)
        let pixels = unsafe [UInt8](unsafeUninitializedCapacity: width * height * 4) { target, count in
            unsafe bitmap.pixels.withUnsafeBytes { source in
                let output = UnsafeMutableRawBufferPointer(target)
                var offset = 0
                for y in 0..<newHeight {
                    var from = start + y * down
                    for _ in 0..<newWidth {
                        let pixel = unsafe source.loadUnaligned(fromByteOffset: from * 4, as: UInt32.self)
                        unsafe output.storeBytes(of: pixel, toByteOffset: offset, as: UInt32.self)
                        from += right
                        offset += 4
                    }
                }
                count = offset
            }
        }
        return Bitmap(width: newWidth, height: newHeight, pixels: pixels)
    }

    /// Where the first shown pixel is stored, and how far apart shown neighbours are; in pixels.
    private func steps(_ width: Int, _ height: Int) -> (start: Int, right: Int, down: Int) {
        let (lastColumn, lastRow) = (width - 1, (height - 1) * width)
        switch value {
        case 2: return (lastColumn, -1, width)
        case 3: return (lastRow + lastColumn, -1, -width)
        case 4: return (lastRow, 1, -width)
        case 5: return (0, width, 1)
        case 6: return (lastRow, -width, 1)
        case 7: return (lastRow + lastColumn, -width, -1)
        case 8: return (lastColumn, width, -1)
        default: return (0, 1, width)
        }
    }
}
