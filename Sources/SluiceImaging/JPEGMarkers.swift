/// A place between the markers of a JPEG file.
///
/// Goes from marker to marker by the lengths of their segments, and past picture data, where bytes that look like a
/// marker are told apart as a decoder does it. So nothing in a segment is ever taken for a marker, as the end of a small
/// copy in a camera's notes.
struct JPEGMarkers {
    /// One marker with its segment.
    struct Marker {
        static let (end, scan, jfif, adobe): (UInt8, UInt8, UInt8, UInt8) = (0xD9, 0xDA, 0xE0, 0xEE)

        var code: UInt8
        /// Where its own two bytes begin.
        var start: Int
        /// What stands behind its length; empty where it has none.
        var content: Range<Int>
    }

    /// Where the last segment ended.
    private(set) var offset = 2

    /// The next marker; `nil` at the end of the file, and where a segment does not end in it.
    mutating func next(_ bytes: Span<UInt8>) -> Marker? {
        // What is no marker is followed by a zero, or by the byte that it fills up to.
        while offset + 1 < bytes.count, bytes[offset] != 0xFF || bytes[offset + 1] == 0 || bytes[offset + 1] == 0xFF {
            offset += 1
        }
        guard offset + 1 < bytes.count else { return nil }
        let (code, start) = (bytes[offset + 1], offset)
        switch code {
        case 0x01, 0xD0...0xD9:
            offset += 2
            return Marker(code: code, start: start, content: offset..<offset)
        default:
            guard bytes.count - offset >= 4 else { return nil }
            let length = Int(bytes[offset + 2]) << 8 | Int(bytes[offset + 3])
            guard length >= 2, bytes.count - offset - 2 >= length else { return nil }
            offset += 2 + length
            return Marker(code: code, start: start, content: start + 4..<offset)
        }
    }

    /// How many channels the first scan of a file has; `nil` without a scan.
    static func channelsOfFirstScan(_ bytes: Span<UInt8>) -> Int? {
        var markers = JPEGMarkers()
        while let marker = markers.next(bytes) {
            guard marker.code == Marker.scan else { continue }
            return marker.content.isEmpty ? nil : Int(bytes[marker.content.lowerBound])
        }
        return nil
    }
}
