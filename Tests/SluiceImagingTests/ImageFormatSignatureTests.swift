import SluiceCore
import Testing

struct ImageFormatSignatureTests {
    private static let ftyp: [UInt8] = [0, 0, 0, 24, 0x66, 0x74, 0x79, 0x70]

    private static func text(_ text: String) -> [UInt8] { Array(text.utf8) }
    private static func isPage(_ text: String) -> Bool { ImageFormat.looksLikeHTML(Array(text.utf8).span) }

    private static func isExcluded(_ bytes: [UInt8], first count: Int) -> Bool {
        ImageFormat.isExcluded(by: bytes.span.extracting(first: count))
    }

    private static func read(_ bytes: [UInt8], first count: Int) -> ImageInfo? {
        ImageInfo.read(bytes.span.extracting(first: count))
    }

    private static let known: [(ImageFormat, [UInt8])] = [
        (.png, [0x89, 0x50, 0x4E, 0x47, 13, 10, 26, 10]), (.jpeg, [0xFF, 0xD8, 0xFF, 0xE0]),
        (.gif, text("GIF87a")), (.gif, text("GIF89a")), (.webp, text("RIFF....WEBPVP8 ")),
        (.avif, ftyp + text("avif")), (.avif, ftyp + text("mif1....mif1avif")), (.heif, ftyp + text("heic")),
        (.heif, ftyp + text("mif1....mif1heic")), (.tiff, [0x49, 0x49, 42, 0]), (.tiff, [0x4D, 0x4D, 0, 42]),
        (.bmp, text("BM") + [9, 9, 9, 0, 0, 0, 0, 0, 54, 0, 0, 0, 40, 0, 0, 0]),
        (.ico, [0, 0, 1, 0, 2, 0, 16, 16, 0, 0]), (.jxl, [0xFF, 0x0A]),
        (.jxl, [0, 0, 0, 12, 0x4A, 0x58, 0x4C, 0x20, 13, 10, 0x87, 10]), (.svg, text("<svg width='1'>")),
        (.ico, [0, 0, 2, 0, 1, 0, 16, 16, 0, 0]), (.jp2, [0, 0, 0, 12, 0x6A, 0x50, 0x20, 0x20, 13, 10, 0x87, 10]),
        (.jp2, [0xFF, 0x4F, 0xFF, 0x51]), (.psd, text("8BPS\0\u{1}")), (.exr, [0x76, 0x2F, 0x31, 1]),
        (.qoi, text("qoif")), (.svg, text("\u{FEFF}\n <?xml version='1.0'?><!-- a --><svg>")),
        (.svg, text("<!-- made --> <svg>")), (.tiff, [0x49, 0x49, 43, 0]), (.tiff, [0x4D, 0x4D, 0, 43]),
        (.svg, text("<!DOCTYPE svg PUBLIC")), (.svg, text("<?xml version='1.0'?>\n<!doctype SVG [")),
        (.svg, text("<?xml version='1.0'?><svg:svg xmlns:svg='http://www.w3.org/2000/svg'/>")),
    ]

    private static let unknown: [[UInt8]] = [
        [], [0xFF], [0xFF, 0xD8], text("GIF"), text("GIF88a"), text("RIFF....WAVE"), text("BMW is a car"),
        text("<html><svg>"), text("<?xml version='1.0'?><rss>"), ftyp + text("isom"), text("%PDF-1.7"),
        [0, 0, 1, 0, 0, 0, 0, 0, 0, 0], [0, 0, 2, 0, 0, 0, 0, 0, 0, 0], text("8BPS is no head"), [0xFF, 0x4F, 0xFF],
        [0, 0, 0, 12, 0x6A, 0x50, 0x20, 0x20, 13, 10, 13, 10], text("II+-"), [0x4D, 0x4D, 43, 0],
        text("<!-- <!doctype html> -->"), text("<!DOCTYPE rss>"),
    ]

    @Test(arguments: known)
    func formatsAreKnownByTheirFirstBytes(format: ImageFormat, bytes: [UInt8]) {
        #expect(ImageFormat.sniff(bytes.span) == format)
    }

    @Test(arguments: unknown)
    func otherBytesAreNoImage(bytes: [UInt8]) {
        #expect(ImageFormat.sniff(bytes.span) == nil)
    }

    @Test func noStartOfAnImageIsExcluded() {
        for bytes in Self.known.map(\.1) + TestImages.files.map(\.bytes) {
            for count in 0...min(bytes.count, 1100) {
                #expect(!Self.isExcluded(bytes, first: count), "\(bytes.prefix(count))")
            }
        }
        for start in ["", "\u{FEFF}", "\u{FEFF} \n", "<", "<!-- a long comment -->", "<?xml version='1.0'?><!-- "] {
            #expect(!Self.isExcluded(Self.text(start), first: start.utf8.count), "\(start)")
        }
        // A container tells far behind its start which brands it is compatible with.
        let container = Self.text("\0\0\u{1}\0ftypmif2....") + Self.filling(200)
        #expect(!Self.isExcluded(container, first: container.count))
    }

    private static let blankCounts: [Int] = Array(0...4) + Array(990...1030) + [1100, 1200, 20_000]
    private static func format(_ bytes: [UInt8]) -> ImageFormat? { ImageFormat.sniff(bytes.span) }

    /// A tag counts if it ends within the first 1024 bytes, whatever stands before it.
    @Test(
        arguments: ["<svg", "<!-- x --><svg", "<?xml version='1.0'?><svg", "<!DOCTYPE svg", "<!-- --><!DOCTYPE svg"],
        ["", "\u{FEFF}"]
    )
    func manyBlanksHideTheTagOfAnImage(text: String, mark: String) {
        for count in Self.blankCounts {
            let bytes = Self.text(mark) + [UInt8](repeating: 0x20, count: count) + Self.text(text)
            let expected: ImageFormat? = bytes.count <= 1024 ? .svg : nil
            #expect(Self.format(bytes) == expected, "\(count)")
            #expect(Self.format(bytes + Self.filling(100)) == expected, "\(count)")
            #expect(Self.isExcluded(bytes, first: bytes.count) == (expected == nil), "\(count)")
        }
    }

    @Test(
        arguments: ["<!-- x -->", "<?xml version='1.0'?>", "<!doctype html>", "", "x"],
        [" ", "\n"]
    )
    func noNumberOfBlanksMakesATextAnImage(text: String, blank: String) {
        for count in Self.blankCounts {
            let body = String(repeating: blank, count: count) + text
            #expect(Self.format(Self.text(body)) == nil, "\(count)")
            #expect(Self.isPage(body) == (text.hasSuffix("html>") && count <= 1024), "\(count)")
        }
    }

    @Test(arguments: [
        ("<?xml version='1.0'?><!-- ", true), ("<!-- ", true), (" \n", true), ("<?xml version='1.0'?><svg>", false),
        ("<!DOCTYPE svg", false), ("GIF89a", false), ("{}", false),
    ]) func whatMayTurnOutToBeAnSVGIsNotYetKnown(start: String, isOpen: Bool) {
        for (count, expected) in [(0, isOpen), (600, isOpen && start.hasPrefix("<")), (1_024, false)] {
            let bytes = Self.text(start) + Self.filling(count)
            let isUnknown = ImageFormat.mayTurnOutSVG(bytes.span)
            #expect(isUnknown == expected, "\(count)")
        }
    }

    @Test(arguments: [
        ("<?xml ", true), ("\u{FEFF}<!-- ", true), ("<!doctype SVG", true), ("<html>", false), ("", false),
    ])
    func aTextThatIsCalledAnSVGMayBeginLikeOne(start: String, expected: Bool) {
        let bytes = Self.text(start)
        let begins = ImageFormat.beginsLikeSVG(bytes.span)
        #expect(begins == expected)
    }

    /// In UTF-16, or packed: nobody decodes it in any case.
    @Test(
        arguments: [
            ([0xFF, 0xFE, 0x3C, 0, 0x73, 0], true), ([0xFE, 0xFF, 0, 0x3C, 0, 0x73], true), ([0x3C, 0, 0x73, 0], true),
            ([0, 0x3C, 0, 0x73], true), ([0x1F, 0x8B, 8, 0], true), ([0xFF, 0xFE, 0x41, 0], false),
            ([0xFF, 0xFE], false),
            ([0x1F], false), ([0, 0, 0], false),
        ] as [([UInt8], Bool)]
    ) func whatIsCalledAnSVGNeedNotBePlainText(start: [UInt8], expected: Bool) {
        let begins = ImageFormat.beginsLikeSVG(start.span)
        #expect(begins == expected)
    }

    private static func filling(_ count: Int) -> [UInt8] { [UInt8](repeating: 0x61, count: count) }

    @Test(arguments: [
        ("data: 1\n\n", 5), ("%PDF-1.7", 5), ("<html><svg>", 5), ("{\"a\": 1}", 5), ("GIF88a", 5),
        ("BMW is a car", 64), ("RIFF....WAVE", 64), ("<?xml version='1.0'?><rss>", 1024),
    ]) func whatIsNoImageIsExcludedAsSoonAsItCannotBeOne(start: String, needed: Int) {
        let bytes = Self.text(start) + Self.filling(1100)
        for count in 0...bytes.count {
            #expect(Self.isExcluded(bytes, first: count) == (count >= needed), "\(count)")
        }
    }

    @Test(arguments: ["<!DOCTYPE html>", " \n<html lang='en'>", "\u{FEFF}<!doctype HTML>", "<HEAD>", "<script>"])
    func pagesLookLikeHTML(text: String) {
        #expect(Self.isPage(text))
    }

    @Test(arguments: ["", "<", "html", "<svg>", "{\"a\": \"<html>\"}"]) func otherTextsDoNot(text: String) {
        #expect(!Self.isPage(text))
    }

    @Test(arguments: ImageFormat.allCases) func everyFormatHasAType(format: ImageFormat) {
        #expect(format.mimeType.hasPrefix("image/"))
    }

    @Test func dimensionsComeFromTheHeaderAlone() throws {
        for file in TestImages.files {
            let expected = try TestImages.decode(file.bytes).info
            let needed = try #require((0...file.bytes.count).first { Self.read(file.bytes, first: $0) != nil })
            let limits: [ImageFormat: Int] = [.jpeg: 200, .avif: 512]
            #expect(needed <= limits[file.format, default: 30], "\(file.name)")
            for count in needed...file.bytes.count {
                let info = Self.read(file.bytes, first: count)
                #expect(info == ImageInfo(format: file.format, width: expected.width, height: expected.height))
            }
        }
    }

    @Test func metadataBeforeTheFrameOfAJPEGIsSkipped() {
        let frame: [UInt8] = [0xFF, 0xC2, 0, 17, 8, 0, 30, 0, 40, 3, 1, 0x22, 0, 2, 0x11, 1, 3, 0x11, 1]
        let metadata: [UInt8] = [0xFF, 0xE1, 0x10, 0x02] + [UInt8](repeating: 0xFF, count: 0x1000)
        let file = [0xFF, 0xD8] + metadata + [0xFF, 0xFF] + frame
        #expect(Self.read(file, first: file.count) == ImageInfo(format: .jpeg, width: 40, height: 30))
        #expect(Self.read(file, first: 2000) == nil)
    }
}
