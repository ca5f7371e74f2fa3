/// The part of a JPEG file before its picture data, as far as a decoder must know it in advance.
///
/// Only follows lengths from marker to marker; it checks nothing else.
package struct JPEGHeader: Equatable, Sendable {
    /// In pixels; 0 if the file says so.
    package var width: Int
    /// In pixels; 0 if the file says so.
    package var height: Int
    /// Channels, such as 1 for grey and 4 for CMYK.
    package var components: Int
    /// Whether a decoder has to keep the coefficients of the whole picture.
    package var isProgressive: Bool
    /// Whether an Adobe marker was there, whose CMYK values are inverted.
    package var isAdobe: Bool
    /// Which way up it is shown, as ``EXIF`` counts. `1...8`
    package var orientation: Int

    /// Reads up to the frame header; `nil` if the bytes end before it, or are no JPEG.
    package init?(_ bytes: Span<UInt8>) {
        guard bytes.big16(at: 0) == 0xFFD8 else { return nil }
        (isAdobe, orientation) = (false, 1)
        var offset = 2
        while offset < bytes.count {
            // Any number of 0xFF may stand before a marker.
            guard bytes[offset] == 0xFF else {
                offset += 1
                continue
            }
            guard offset + 1 < bytes.count else { return nil }
            let marker = bytes[offset + 1]
            if marker == 0xFF {
                offset += 1
                continue
            }
            offset += 2
            switch marker {
            case 0x00, 0x01, 0xD0...0xD8:
                continue
            case 0xD9, 0xDA:
                return nil
            default:
                guard let length = bytes.big16(at: offset), length >= 2 else { return nil }
                if Self.isFrame(marker) {
                    guard let height = bytes.big16(at: offset + 3), let width = bytes.big16(at: offset + 5),
                        offset + 7 < bytes.count
                    else { return nil }
                    (self.width, self.height, components) = (width, height, Int(bytes[offset + 7]))
                    isProgressive = [0xC2, 0xC6, 0xCA, 0xCE].contains(marker)
                    return
                }
                if marker == 0xEE, bytes.matches("Adobe", at: offset + 2) { isAdobe = true }
                if marker == 0xE1, orientation == 1, bytes.matches("Exif\0\0", at: offset + 2) {
                    orientation = EXIF.orientation(bytes.extracting(offset + 2..<min(bytes.count, offset + length)))
                }
                offset += length
            }
        }
        return nil
    }

    /// `SOF0` to `SOF15`, without the tables that have numbers in between.
    static func isFrame(_ marker: UInt8) -> Bool {
        (0xC0...0xCF).contains(marker) && ![0xC4, 0xC8, 0xCC].contains(marker)
    }
}
