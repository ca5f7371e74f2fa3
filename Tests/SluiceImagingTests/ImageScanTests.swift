import SluiceCore
import SluicePictures
import Testing

/// What is found in images while their bytes go by, in pieces of any size.
struct ImageScanTests {
    private static let sizes = [1, 2, 7, 255, 256, 4_096, .max]

    private static func scan(_ bytes: [UInt8], _ format: ImageFormat, _ size: Int) throws -> ImageScan {
        var scan = try #require(ImageScan(format))
        var start = 0
        while start < bytes.count {
            let end = start + min(size, bytes.count - start)
            scan.take(bytes.span.extracting(start..<end))
            start = end
        }
        return scan
    }

    private static func segment(_ marker: UInt8, _ bytes: [UInt8]) -> [UInt8] {
        let length = bytes.count + 2
        return [0xFF, marker, UInt8(length >> 8), UInt8(length & 0xFF)] + bytes
    }

    @Test(arguments: sizes) func framesAreCountedAsTheDecoderDoes(size: Int) throws {
        for file in TestImages.files where [.gif, .webp].contains(file.format) {
            let frames = try Self.scan(file.bytes, file.format, size).frames
            #expect(max(1, frames) == (try TestImages.decode(file.bytes).info.frames), "\(file.name)")
        }
    }

    /// A thumbnail, a profile and a comment may stand before the frame header, which then nobody sees at the start.
    @Test(arguments: sizes) func theHeaderOfAJPEGIsFoundBehindMuch(size: Int) throws {
        let tiff: [UInt8] = [0x4D, 0x4D, 0, 42, 0, 0, 0, 8, 0, 1, 1, 0x12, 0, 3, 0, 0, 0, 1, 0, 6, 0, 0, 0, 0, 0, 0]
        let picture = ImageEncoder.jpeg(TestImages.gradient(21, 13))
        // A fill byte stands before one of them, which is allowed, and what is no marker before others, which is read.
        let before =
            Self.segment(0xE1, Array("Exif\0\0".utf8) + tiff[..<19] + [1] + tiff[20...]) + [0, 7, 0xFF, 0, 0xFF, 0xD8]
            + Self.segment(0xE1, Array("http://ns.adobe.com/xap/1.0/\0".utf8) + Array(repeating: 0xFF, count: 9_000))
            + Self.segment(0xE1, Array("Exif\0\0".utf8) + tiff + Array(repeating: 0xFF, count: 60_000))
            + [0xFF] + Self.segment(0xFE, Array(repeating: 0xC0, count: 65_000))
            + Self.segment(0xE1, Array("Exif\0\0".utf8) + Array(repeating: 0, count: 65_000)) + Self.segment(0xEC, [])
        let whole = picture[..<2] + before + picture[2...]
        let info = try Self.scan(Array(whole), .jpeg, size).info
        #expect(info == ImageInfo(format: .jpeg, width: 13, height: 21))
        #expect(info == ImageInfo.read(Array(whole).span))
        #expect(try Self.scan(picture, .jpeg, size).info == ImageInfo.read(picture.span))
    }

    private static func box(_ type: String, _ parts: [UInt8]...) -> [UInt8] {
        let content = parts.flatMap(\.self)
        let length = content.count + 8
        return [0, UInt8(length >> 16), UInt8(length >> 8 & 0xFF), UInt8(length & 0xFF)] + Array(type.utf8) + content
    }

    private static func size(_ width: Int, _ height: Int) -> [UInt8] {
        func number(_ value: Int) -> [UInt8] { [0, 0, UInt8(value >> 8), UInt8(value & 0xFF)] }
        return box("ispe", number(0) + number(width) + number(height))
    }

    /// Other boxes may stand before the one that says it, and a thumbnail's size before the picture's.
    @Test(arguments: sizes) func theSizeOfAnAVIFIsThatOfItsLargestPicture(size: Int) throws {
        let profile = Self.box("colr", Array(repeating: 7, count: 3_000))
        let sizes = Self.box("ipco", Self.size(160, 120), profile, Self.size(4_000, 3_000))
        let content = [0, 0, 0, 0] + Self.box("hdlr", []) + Self.box("iprp", sizes)
        let start =
            Self.box("ftyp", Array("avif".utf8), [0, 0, 0, 0]) + Self.box("free", Array(repeating: 1, count: 2_000))
        let long: [UInt8] = [0, 0, 0, 1] + Array("free".utf8) + [0, 0, 0, 0, 0, 0, 0, 20] + [9, 9, 9, 9]
        let pixels = Self.box("mdat", Array(repeating: 0, count: 500))
        let info = ImageInfo(format: .avif, width: 4_000, height: 3_000)
        let file = start + long + Self.box("meta", content) + pixels
        #expect(try Self.scan(file, .avif, size).info == info)
        let count = content.count + 16
        let wide = [0, 0, 0, 1] + Array("meta".utf8) + [0, 0, 0, 0, 0, 0, UInt8(count >> 8), UInt8(count & 0xFF)]
        #expect(try Self.scan(start + wide + content + pixels, .avif, size).info == info)
        #expect(try Self.scan(Array(file.dropLast(700)), .avif, size).info == nil, "it is not whole")
        let endless: [UInt8] = [0, 0, 0, 1] + Array("free".utf8) + Array(repeating: 0xFF, count: 8)
        #expect(try Self.scan(start + endless + pixels, .avif, size).info == nil)
    }

    /// What is cut off has the frames that are whole, and what is no image none.
    @Test(arguments: sizes) func damageEndsTheCount(size: Int) throws {
        let file = ImageEncoder.gif((0..<3).map { TestImages.squares(21, 13, phase: $0) })
        #expect(try Self.scan(Array(file.dropLast(3)), .gif, size).frames == 2)
        let noise = (0..<9_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        #expect(try Self.scan(Array(file[..<10]) + [0, 0, 0, 0x99] + noise, .gif, size).frames == 0)
        #expect(try Self.scan([0xFF, 0xD8, 0xFF, 0xE0, 0, 1] + noise, .jpeg, size).info == nil)
        #expect(try Self.scan([0xFF, 0xD8, 0xFF, 0xDA, 0, 2] + noise, .jpeg, size).info == nil)
        #expect(try Self.scan(Array("RIFF".utf8) + noise, .webp, size).frames == 0)
    }

    /// A body that goes on and on without a header is looked at only so far.
    @Test func aJPEGWithoutEndHasNoHeader() throws {
        var scan = try #require(ImageScan(.jpeg))
        let (start, picture) = ([0xFF, 0xD8] as [UInt8], ImageEncoder.jpeg(TestImages.gradient(21, 13)))
        let fill = [UInt8](repeating: 0xFF, count: 1 << 20)
        scan.take(start.span)
        for _ in 0..<17 { scan.take(fill.span) }
        scan.take(picture.span)
        #expect(scan.info == nil)
    }

    /// As the decoder sees it.
    @Test func onlyAnimationsMove() throws {
        for file in TestImages.files where file.format != .gif {
            let frames = try TestImages.decode(file.bytes).info.frames
            let start = Array(file.bytes.prefix(32))
            let moves = file.format.mayMove(start.span)
            #expect(moves == (frames > 1), "\(file.name)")
        }
    }

    @Test func otherFormatsNeedNoLook() {
        let looked = ImageFormat.allCases.filter { ImageScan($0) != nil }
        #expect(Set(looked) == [.jpeg, .gif, .webp, .avif])
    }
}
