/// The dimensions of an AVIF file, from the boxes before its picture data.
///
/// Only follows lengths from box to box; it checks nothing else.
///
/// - SeeAlso: ISO/IEC 23008-12 §6.5.3 (`ispe`) and §6.5.10 (`irot`).
struct AVIFHeader {
    /// Of the largest picture in it as it is shown, in pixels.
    private(set) var width = 0
    /// As ``width``.
    private(set) var height = 0
    private var isSideways = false

    /// - Returns: `nil` if the bytes end before the dimensions.
    init?(_ bytes: Span<UInt8>) {
        guard let meta = Self.find("meta", in: bytes, from: 0, to: bytes.count),
            // A version and flags stand before what the box holds.
            let properties = Self.find("iprp", in: bytes, from: meta.lowerBound + 4, to: meta.upperBound),
            let list = Self.find("ipco", in: bytes, from: properties.lowerBound, to: properties.upperBound)
        else { return nil }
        var offset = list.lowerBound
        var isFound = false
        while let box = Self.box(bytes, at: offset, end: list.upperBound) {
            if bytes.matches("ispe", at: offset + 4), let wide = bytes.big32(at: box.lowerBound + 4),
                let high = bytes.big32(at: box.lowerBound + 8)
            {
                // A picture made of tiles is larger than they are, one with a thumbnail than that.
                let isLarger = wide > width || (wide == width && high > height)
                if !isFound || isLarger { (width, height) = (wide, high) }
                isFound = true
            }
            if bytes.matches("irot", at: offset + 4), box.lowerBound < bytes.count {
                isSideways = bytes[box.lowerBound] & 1 == 1
            }
            offset = box.upperBound
        }
        guard isFound else { return nil }
        if isSideways { (width, height) = (height, width) }
    }

    /// What the first box of a type holds, as far as it lies before `end`.
    private static func find(_ type: StaticString, in bytes: Span<UInt8>, from start: Int, to end: Int) -> Range<Int>? {
        var offset = start
        while let box = box(bytes, at: offset, end: end) {
            if bytes.matches(type, at: offset + 4) { return box }
            offset = box.upperBound
        }
        return nil
    }

    /// What the box at `offset` holds; `nil` if there is none.
    private static func box(_ bytes: Span<UInt8>, at offset: Int, end: Int) -> Range<Int>? {
        guard end - offset >= 8, let size = bytes.big32(at: offset), size >= 8 || size == 0 else { return nil }
        return offset + 8..<(size == 0 ? end : min(end, offset + size))
    }
}
