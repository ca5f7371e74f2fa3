import SluiceCore
import SluicePictures
import Testing

@testable import SluiceImaging

/// libpng would unpack every note in front of the pixels, and keep up to 8 GB of them.
struct PNGChunksTests {
    private static let whole = ImageEncoder.png(TestImages.gradient(21, 13, alpha: true))
    private static let words = PNGWriter.chunk("tEXt", Array("k\0words".utf8))
    private static let packed = PNGWriter.chunk("zTXt", Array("k\0\0".utf8) + [UInt8](repeating: 0x78, count: 50))
    private static let foreign = PNGWriter.chunk("iTXt", Array("k\0\u{1}\0\0\0".utf8) + [0x78, 0xDA, 3])
    private static let palette = PNGWriter.chunk("sPLT", Array("k\0\u{8}".utf8))

    private static func inserting(_ chunks: [[UInt8]], at place: Int = 33) -> [UInt8] {
        Array(whole[..<place]) + chunks.joined() + Array(whole[place...])
    }

    /// What libpng gets.
    private static func read(_ file: [UInt8]) -> [UInt8] {
        unsafe PNGChunks(file.span).read(file.span) { unsafe Array($0) }
    }

    @Test func notesBeforeThePixelsAreLeftOut() {
        let file = Self.inserting([Self.packed, Self.words, Self.foreign, Self.foreign, Self.palette])
        let chunks = PNGChunks(file.span)
        #expect(chunks.hasNotes && chunks.isWhole && chunks.orientation == 1)
        let read = Self.read(file)
        #expect(read == Self.inserting([Self.words]))
    }

    @Test func aFileWithoutThemIsReadWhereItIs() {
        // Behind the pixels libpng reads nothing.
        let behind = Self.inserting([Self.packed], at: Self.whole.count - 12)
        for file in [Self.whole, Self.inserting([Self.words]), behind] {
            let chunks = PNGChunks(file.span)
            #expect(!chunks.hasNotes && chunks.isWhole)
            let read = Self.read(file)
            #expect(read == file)
        }
    }

    @Test func notesChangeNoPicture() throws {
        let file = Self.inserting(Array(repeating: Self.packed, count: 100) + [Self.foreign, Self.palette])
        let image = try TestImages.decode(file)
        let expected = try TestImages.decode(Self.whole).bitmap
        #expect(TestImages.difference(image.bitmap, expected) == 0)

        let part = Array(file.dropLast(20))
        let sketch = CodecDecoder().sketch(part.span, maxPixels: 1_000, width: 100, height: 100)
        let plain = Array(Self.whole.dropLast(20))
        let other = CodecDecoder().sketch(plain.span, maxPixels: 1_000, width: 100, height: 100)
        #expect(sketch?.pixels == other?.pixels && sketch != nil)
    }

    @Test func whatIsNotWholeStays() {
        let file = Self.inserting([Self.packed, Self.foreign])
        for count in 0..<file.count {
            let prefix = Array(file.prefix(count))
            let chunks = PNGChunks(prefix.span)
            #expect(!chunks.isWhole)
            let copy = PNGChunks.withoutNotes(prefix.span)
            #expect(copy.count <= count && copy.starts(with: prefix.prefix(33)))
        }
    }

    @Test(arguments: [(1_000_001, 1), (1, 1_000_001), (1_000_001, 1_000_001)])
    func aSideThatNoDecoderTakesIsNoDamage(width: Int, height: Int) {
        let file = PNGWriter.start(width: width, height: height, depth: 1, color: .grey) + PNGWriter.chunk("IEND", [])
        let error = #expect(throws: DownloadError.self) { try TestImages.decode(file, maxPixels: 100_000_000) }
        #expect(error?.code == .tooLarge && error?.message.contains("1,000,001") == true)
        #expect(error?.limit == nil, "no maxPixels lets it pass")
    }
}
