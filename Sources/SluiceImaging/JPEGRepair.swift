internal import SluiceCore

/// Takes out of a JPEG file what libjpeg warns of and no picture suffers from.
///
/// The library tells its first warning alone, so only a file without that shows whether there are others.
/// Never touches what may be picture data, but for the padding behind it.
enum JPEGRepair {
    /// Bytes of any value that may stand before the end.
    private static let paddingLimit = 64
    /// Warnings of what stands in the header.
    private static let headerWarnings = [
        "extraneous bytes before marker", "unknown JFIF revision", "Unknown Adobe color transform",
        "Invalid SOS parameters for sequential",
    ]

    /// A copy of a file without the cause of a warning.
    ///
    /// - Parameters:
    ///   - bytes: The whole file.
    ///   - header: Of that file.
    ///   - warning: As the library words it.
    /// - Returns: `nil` where it has no cause that is harmless.
    static func repaired(_ bytes: Span<UInt8>, _ header: JPEGHeader, against warning: String) -> [UInt8]? {
        if let count = padding(warning) { return withoutPadding(bytes, count) }
        guard headerWarnings.contains(where: { warning.contains($0) }) else { return nil }
        return withPlainHeader(bytes, header)
    }

    /// How many bytes a warning says are too many before the end.
    private static func padding(_ warning: String) -> Int? {
        guard warning.hasSuffix(" extraneous bytes before marker 0xd9") else { return nil }
        return warning.split(separator: " ").lazy.compactMap { Int($0) }.first
    }

    /// Without the bytes before the end, if they are few or say nothing.
    private static func withoutPadding(_ bytes: Span<UInt8>, _ count: Int) -> [UInt8]? {
        var markers = JPEGMarkers()
        var dataStart: Int?
        while let marker = markers.next(bytes) {
            if marker.code == JPEGMarkers.Marker.scan { dataStart = marker.content.upperBound }
            guard marker.code == JPEGMarkers.Marker.end, let dataStart else { continue }
            var end = marker.start
            // A marker may be filled up to.
            while end > dataStart, bytes[end - 1] == 0xFF { end -= 1 }
            guard count <= end - dataStart else { return nil }
            let isSilent = (end - count..<end).allSatisfy { bytes[$0] == 0 }
            guard count <= paddingLimit || isSilent else { return nil }
            var copy: [UInt8] = []
            copy.reserveCapacity(bytes.count)
            append(bytes.extracting(0..<end - count), to: &copy)
            append(bytes.extracting(end..<bytes.count), to: &copy)
            return copy
        }
        return nil
    }

    /// With the segments of its header side by side, and numbers in them that the library knows.
    private static func withPlainHeader(_ bytes: Span<UInt8>, _ header: JPEGHeader) -> [UInt8]? {
        var copy: [UInt8] = [0xFF, 0xD8]
        copy.reserveCapacity(bytes.count)
        var markers = JPEGMarkers()
        while let marker = markers.next(bytes) {
            if marker.code == JPEGMarkers.Marker.scan {
                let start = copy.count
                append(bytes.extracting(marker.start..<bytes.count), to: &copy)
                if !header.isProgressive { completeScans(&copy, from: start) }
                return copy
            }
            let start = copy.count + marker.content.lowerBound - marker.start
            append(bytes.extracting(marker.start..<marker.content.upperBound), to: &copy)
            plain(marker.code, start..<copy.count, header.components, &copy)
        }
        return nil
    }

    /// Sets what is unknown in a segment to what the library takes it for.
    private static func plain(_ code: UInt8, _ content: Range<Int>, _ channels: Int, _ copy: inout [UInt8]) {
        let segment = copy[content]
        if code == JPEGMarkers.Marker.jfif, segment.count >= 14, segment.starts(with: "JFIF\0".utf8) {
            copy[content.lowerBound + 5] = 1
        }
        guard code == JPEGMarkers.Marker.adobe, segment.count >= 12, segment.starts(with: "Adobe".utf8) else { return }
        let usual: UInt8 = channels == 4 ? 2 : 1
        if ![0, usual].contains(copy[content.lowerBound + 11]) { copy[content.lowerBound + 11] = usual }
    }

    /// Lets every scan of a picture that is not progressive have all coefficients, which it has whatever it says.
    private static func completeScans(_ copy: inout [UInt8], from start: Int) {
        var places: [Int] = []
        var markers = JPEGMarkers()
        while let marker = markers.next(copy.span) {
            let isScan = marker.code == JPEGMarkers.Marker.scan && marker.start >= start && marker.content.count >= 3
            if isScan { places.append(marker.content.upperBound - 3) }
        }
        for place in places { copy.replaceSubrange(place..<place + 3, with: [0, 63, 0]) }
    }

    private static func append(_ bytes: Span<UInt8>, to copy: inout [UInt8]) {
        unsafe bytes.withUnsafeBufferPointer { buffer in unsafe copy.append(contentsOf: buffer) }
    }
}
