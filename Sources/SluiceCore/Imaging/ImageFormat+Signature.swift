extension ImageFormat {
    /// How far into a file anything is looked for, in bytes: an `<svg` tag, and the brands of a container.
    public static let reach = 1024
    private static let heifBrands: [StaticString] = ["heic", "heix", "hevc", "hevx", "heim", "heis", "mif1", "msf1"]
    private static let bitmapHeaderSizes = [12, 16, 40, 52, 56, 64, 108, 124]

    /// The type for `Content-Type`.
    public var mimeType: String {
        switch self {
        case .png, .jpeg, .gif, .webp, .avif, .heif, .tiff, .bmp, .jxl, .jp2, .qoi: "image/\(rawValue)"
        case .ico: "image/x-icon"
        case .svg: "image/svg+xml"
        case .psd: "image/vnd.adobe.photoshop"
        case .exr: "image/x-exr"
        }
    }

    /// Recognises a format by its magic bytes, whatever a server calls it.
    ///
    /// - Parameter prefix: The start of a body; 32 bytes are enough for all but SVG, which needs 1 KiB.
    /// - Returns: `nil` if the bytes are of no known format, or too few to tell.
    public static func sniff(_ prefix: Span<UInt8>) -> ImageFormat? {
        if prefix.isEmpty { return nil }
        // What comes at once may be much more, or the whole of a file.
        let prefix = prefix.extracting(first: reach)
        if let format = format(byMagic: prefix) { return format }
        if prefix.matches("ftyp", at: 4) { return isoFormat(prefix) }
        return isSVG(prefix) ? .svg : nil
    }

    /// By magic bytes at the very start, of which the first one tells for most bodies that they are none of these.
    private static func format(byMagic prefix: Span<UInt8>) -> ImageFormat? {
        switch prefix[0] {
        case 0x89: isPNG(prefix) ? .png : nil
        case 0xFF where prefix.count >= 3 && prefix[1] == 0xD8 && prefix[2] == 0xFF: .jpeg
        case UInt8(ascii: "G"): prefix.matches("GIF87a") || prefix.matches("GIF89a") ? .gif : nil
        case UInt8(ascii: "R"): prefix.matches("RIFF") && prefix.matches("WEBP", at: 8) ? .webp : nil
        case UInt8(ascii: "I"), UInt8(ascii: "M"): isTIFF(prefix) ? .tiff : nil
        case UInt8(ascii: "8"): prefix.matches("8BPS") && [1, 2].contains(prefix.big16(at: 4)) ? .psd : nil
        case 0x76: prefix.big32(at: 0) == 0x762F_3101 ? .exr : nil
        case UInt8(ascii: "q"): prefix.matches("qoif") ? .qoi : nil
        case UInt8(ascii: "B"): isBMP(prefix) ? .bmp : nil
        case 0, 0xFF: isJXL(prefix) ? .jxl : isJP2(prefix) ? .jp2 : isICO(prefix) ? .ico : nil
        default: nil
        }
    }

    /// Magic bytes at the very start of a file; what ``sniff(_:)`` asks for beside them may follow.
    private static let starts: [[UInt8]] = [
        [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A], [0xFF, 0xD8, 0xFF], Array("GIF87a".utf8),
        Array("GIF89a".utf8), Array("RIFF".utf8), Array("II*\0".utf8), Array("MM\0*".utf8), Array("II+\0".utf8),
        Array("MM\0+".utf8), [0xFF, 0x0A],
        [0, 0, 0, 12], [0xFF, 0x4F, 0xFF, 0x51], Array("8BPS".utf8), [0x76, 0x2F, 0x31, 0x01], Array("qoif".utf8),
        Array("BM".utf8), [0, 0, 1, 0], [0, 0, 2, 0],
    ]
    /// Bytes after which all has been looked at that follows them.
    private static let magicReach = 64

    /// Whether a body that starts like this is no image of a known format, whatever follows.
    ///
    /// - Returns: `false` for an image, and for what is too short to tell.
    public static func isExcluded(by prefix: Span<UInt8>) -> Bool {
        if sniff(prefix) != nil { return false }
        // The brands of a container, as SVG's tag, may stand far behind its start.
        if prefix.count >= reach { return true }
        if mayStart(prefix, with: Array("ftyp".utf8), at: 4) || mayBecomeSVG(prefix) { return false }
        return prefix.count >= magicReach || !starts.contains { mayStart(prefix, with: $0, at: 0) }
    }

    /// Whether a body that starts like this may turn out to be an SVG: its tag may stand far behind its start.
    ///
    /// - Returns: `false` for what is known to be an image, and for what is long enough to tell.
    public static func mayTurnOutSVG(_ prefix: Span<UInt8>) -> Bool {
        prefix.count < reach && mayBecomeSVG(prefix) && sniff(prefix) == nil
    }

    /// Whether what is called an SVG begins like one, wherever its tag stands: as text, in UTF-16, or packed by gzip.
    public static func beginsLikeSVG(_ prefix: Span<UInt8>) -> Bool {
        let start = startOfText(prefix)
        let wide: [[UInt8]] = [[0xFE, 0xFF, 0, 0x3C], [0xFF, 0xFE, 0x3C, 0], [0, 0x3C, 0], [0x3C, 0]]
        let starts = wide + [[0x1F, 0x8B]]
        if starts.contains(where: { $0.count <= prefix.count && mayStart(prefix, with: $0, at: 0) }) { return true }
        return prefix.matches("<?xml", at: start) || prefix.matches("<!--", at: start) || isSVGTag(prefix, at: start)
    }

    /// Whether the bytes that are there are those of a magic at an offset, as far as they go.
    private static func mayStart(_ prefix: Span<UInt8>, with magic: [UInt8], at offset: Int) -> Bool {
        magic.indices.allSatisfy { offset + $0 >= prefix.count || prefix[offset + $0] == magic[$0] }
    }

    private static func mayBecomeSVG(_ prefix: Span<UInt8>) -> Bool {
        let start = startOfText(prefix)
        let isShort = prefix.count < 3 && mayStart(prefix, with: [0xEF, 0xBB, 0xBF], at: 0)
        if isShort { return true }
        let tags = ["<svg", "<?xml", "<!--", "<!doctype svg"]
        return tags.contains { tag in
            prefix.matchesIgnoringCase(String(tag.prefix(prefix.count - start)), at: start)
        }
    }

    /// Whether a body starts like a page for a browser: what servers send in place of an image.
    public static func looksLikeHTML(_ prefix: Span<UInt8>) -> Bool {
        let start = startOfText(prefix)
        let tags = ["<!doctype html", "<html", "<head", "<body", "<title", "<script", "<meta"]
        return tags.contains { prefix.matchesIgnoringCase($0, at: start) }
    }

    /// Whether a body starts like text, as far as one can see: without the controls that only binary data has.
    public static func isPlainText(_ prefix: Span<UInt8>) -> Bool {
        for index in prefix.indices {
            let byte = prefix[index]
            if byte < 0x20, byte != 0x1B, !(0x09...0x0D).contains(byte) { return false }
        }
        return true
    }

    private static func isPNG(_ prefix: Span<UInt8>) -> Bool {
        prefix.big32(at: 0) == 0x8950_4E47 && prefix.big32(at: 4) == 0x0D0A_1A0A
    }

    /// With places of 32 bits, or of 64.
    private static func isTIFF(_ prefix: Span<UInt8>) -> Bool {
        prefix.matches("II*\0") || prefix.matches("MM\0*") || prefix.matches("II+\0") || prefix.matches("MM\0+")
    }

    private static func isoFormat(_ prefix: Span<UInt8>) -> ImageFormat? {
        let end = min(prefix.big32(at: 0) ?? 0, prefix.count)
        // The major brand at 8, then a version, then the compatible ones; a HEIF container may hold AV1.
        let brands = [8] + stride(from: 16, to: max(16, end - 3), by: 4)
        let isAVIF = brands.contains { prefix.matches("avif", at: $0) || prefix.matches("avis", at: $0) }
        if isAVIF { return .avif }
        return heifBrands.contains { prefix.matches($0, at: 8) } ? .heif : nil
    }

    private static func isJXL(_ prefix: Span<UInt8>) -> Bool {
        prefix.big16(at: 0) == 0xFF0A
            || (prefix.big32(at: 0) == 12 && prefix.matches("JXL ", at: 4) && prefix.big32(at: 8) == 0x0D0A_870A)
    }

    /// A file of boxes, or a bare code stream.
    private static func isJP2(_ prefix: Span<UInt8>) -> Bool {
        prefix.big32(at: 0) == 0xFF4F_FF51
            || (prefix.big32(at: 0) == 12 && prefix.matches("jP  ", at: 4) && prefix.big32(at: 8) == 0x0D0A_870A)
    }

    /// `BM` alone starts too many texts.
    private static func isBMP(_ prefix: Span<UInt8>) -> Bool {
        guard prefix.matches("BM"), prefix.little32(at: 6) == 0 else { return false }
        return prefix.little32(at: 14).map { bitmapHeaderSizes.contains($0) } ?? false
    }

    private static func isICO(_ prefix: Span<UInt8>) -> Bool {
        // Cursors are icons with a place to point with.
        guard [0x0001_0000, 0x0002_0000].contains(prefix.little32(at: 0)), let images = prefix.little16(at: 4) else {
            return false
        }
        return (1...256).contains(images) && prefix.count > 9 && prefix[9] == 0
    }

    private static func isSVG(_ prefix: Span<UInt8>) -> Bool {
        let start = startOfText(prefix)
        if isSVGTag(prefix, at: start) { return true }
        guard prefix.matches("<?xml", at: start) || prefix.matches("<!--", at: start) else { return false }
        return (start..<prefix.count).contains { isSVGTag(prefix, at: $0) }
    }

    /// The element, or the type of a document: entities, of which that may have many, stand before the element.
    private static func isSVGTag(_ prefix: Span<UInt8>, at offset: Int) -> Bool {
        prefix.matches("<svg", at: offset)
            || (prefix.matches("<!", at: offset) && prefix.matchesIgnoringCase("<!doctype svg", at: offset))
    }

    /// Past a byte order mark and white space; at most as far as anything is looked for.
    private static func startOfText(_ prefix: Span<UInt8>) -> Int {
        var start = prefix.count >= 3 && prefix[0] == 0xEF && prefix[1] == 0xBB && prefix[2] == 0xBF ? 3 : 0
        let end = min(prefix.count, reach)
        while start < end, isWhiteSpace(prefix[start]) { start += 1 }
        return start
    }

    private static func isWhiteSpace(_ byte: UInt8) -> Bool {
        byte == 32 || byte == 9 || byte == 10 || byte == 12 || byte == 13
    }
}
