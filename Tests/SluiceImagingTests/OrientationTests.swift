import SluiceCore
import SluicePictures
import Testing

@testable import SluiceImaging

struct OrientationTests {
    /// How a picture of `abc` over `def` is shown.
    private static let shown = [
        "abc/def", "cba/fed", "fed/cba", "def/abc", "ad/be/cf", "da/eb/fc", "fc/eb/da", "cf/be/ad",
    ]
    private static let letters = Bitmap(width: 3, height: 2, pixels: "abcdef".utf8.flatMap { [$0, 0, 0, 255] })

    private static func text(_ bitmap: Bitmap) -> String {
        let letters = stride(from: 0, to: bitmap.pixels.count, by: 4).map { UnicodeScalar(bitmap.pixels[$0]) }
        return stride(from: 0, to: letters.count, by: bitmap.width)
            .map { String(String.UnicodeScalarView(letters[$0..<$0 + bitmap.width])) }.joined(separator: "/")
    }

    /// A camera's notes with one other entry before the orientation.
    private static func notes(_ value: Int, isLittle: Bool) -> [UInt8] {
        func number(_ value: Int, _ count: Int) -> [UInt8] {
            let bytes = (0..<count).map { UInt8(value >> (8 * $0) & 0xFF) }
            return isLittle ? bytes : bytes.reversed()
        }
        func entry(_ tag: Int, _ value: Int) -> [UInt8] {
            number(tag, 2) + number(3, 2) + number(1, 4) + number(value, 2) + [0, 0]
        }
        return Array((isLittle ? "II*\0" : "MM\0*").utf8) + number(8, 4) + number(2, 2) + entry(0x0103, 6)
            + entry(0x0112, value) + [0, 0, 0, 0]
    }

    private static func read(_ notes: [UInt8]) -> Int { EXIF.orientation(notes.span) }

    private static func jpeg(_ bitmap: Bitmap, _ notes: [UInt8]) -> [UInt8] {
        let file = ImageEncoder.jpeg(bitmap, quality: 100, color: .full)
        let segment = Array("Exif\0\0".utf8) + notes
        return file.prefix(2) + [0xFF, 0xE1, UInt8((segment.count + 2) >> 8), UInt8((segment.count + 2) & 0xFF)]
            + segment + file.dropFirst(2)
    }

    private static func png(_ bitmap: Bitmap, _ notes: [UInt8]) -> [UInt8] {
        let file = ImageEncoder.png(bitmap)
        return file.prefix(33) + PNGWriter.chunk("eXIf", notes) + file.dropFirst(33)
    }

    private static func webp(_ bitmap: Bitmap, _ notes: [UInt8]) -> [UInt8] {
        func little(_ value: Int, _ count: Int) -> [UInt8] { (0..<count).map { UInt8(value >> (8 * $0) & 0xFF) } }
        let picture = ImageEncoder.webp(bitmap, quality: nil).dropFirst(12)
        let padding = [UInt8](repeating: 0, count: notes.count % 2)
        let body =
            Array("WEBPVP8X".utf8) + little(10, 4) + [0x18, 0, 0, 0] + little(bitmap.width - 1, 3)
            + little(bitmap.height - 1, 3) + picture + Array("EXIF".utf8) + little(notes.count, 4) + notes + padding
        return Array("RIFF".utf8) + little(body.count, 4) + body
    }

    @Test func theEightWaysAreShownUpright() {
        for (index, text) in Self.shown.enumerated() {
            #expect(Self.text(Orientation(index + 1).apply(to: Self.letters)) == text)
        }
        for value in [-1, 0, 9, 65_535] { #expect(Orientation(value) == .upright) }
    }

    @Test func aTurnAndAMirrorMakeOneWay() {
        for quarters in 0..<4 {
            let turned = Orientation([1, 8, 3, 6][quarters]).apply(to: Self.letters)
            #expect(
                Self.text(Orientation(quarters: quarters, mirror: nil).apply(to: Self.letters)) == Self.text(turned)
            )
            for (mirror, way) in [(0, 4), (1, 2)] {
                let mirrored = Orientation(way).apply(to: turned)
                let both = Orientation(quarters: quarters, mirror: mirror).apply(to: Self.letters)
                #expect(Self.text(both) == Self.text(mirrored), "\(quarters) quarters, mirror \(mirror)")
            }
        }
    }

    @Test(arguments: 1...8, [true, false]) func filesAreDecodedUpright(value: Int, isLittle: Bool) throws {
        let notes = Self.notes(value, isLittle: isLittle)
        let bitmap = TestImages.gradient(19, 12)
        let upright = Orientation(value).apply(to: bitmap)
        for file in [Self.png(bitmap, notes), Self.webp(bitmap, notes), Self.jpeg(bitmap, notes)] {
            let image = try TestImages.decode(file)
            #expect((image.info.width, image.info.height) == (upright.width, upright.height))
            let tolerance = image.info.format == .jpeg ? 8 : 0
            #expect(TestImages.difference(image.bitmap, upright) <= tolerance, "\(image.info.format)")
        }
        let file = Self.jpeg(bitmap, notes)
        let header = ImageInfo.read(file.span)
        #expect(header == ImageInfo(format: .jpeg, width: upright.width, height: upright.height))
    }

    @Test func damagedNotesMeanUpright() {
        let whole = Self.notes(6, isLittle: true)
        #expect(Self.read(whole) == 6)
        for count in 0..<(whole.count - 6) { #expect(Self.read(Array(whole[..<count])) == 1) }
        for (offset, value) in [(0, 0x58), (4, 0xFF), (7, 0x7F), (22, 0xFF), (24, 4), (30, 9), (30, 0)]
            as [(Int, UInt8)]
        {
            var damaged = whole
            damaged[offset] = value
            #expect(Self.read(damaged) == 1, "byte \(offset)")
        }
    }
}
