import SluiceCore
import Testing

@testable import SluiceImaging

/// What the pictures in an AVIF file say of themselves is compared with its boxes, before memory is spent on them.
struct AVIFPayloadsTests {
    private let limit = PixelLimit(maxPixels: 1_000_000)

    @Test(arguments: [(16, 12), (1, 1), (65_536, 65_536), (300, 40_000)], [true, false])
    func aHeaderSaysHowLargeItsPicturesAre(size: (Int, Int), isReduced: Bool) throws {
        var bytes = AV1Writer.header(width: size.0, height: size.1, isReduced: isReduced)
        let whole = AV1SequenceHeader(bytes.span)
        let header = try #require(whole)
        #expect((header.width, header.height) == size)
        for count in 0..<bytes.count - 1 {
            let part = AV1SequenceHeader(bytes.span.extracting(0..<count))
            #expect(part == nil)
        }
        bytes[0] |= 0xE0
        let unknown = AV1SequenceHeader(bytes.span)
        #expect(unknown == nil, "there is no such profile")
    }

    @Test func everyHeaderIsFoundWhereADecoderLooks() throws {
        func join(_ parts: [UInt8]...) -> [UInt8] { Array(parts.joined()) }
        let small = AV1Writer.header(width: 16, height: 12)
        let wide = AV1Writer.header(width: 900, height: 2)
        let high = AV1Writer.header(width: 3, height: 800)
        let count = UInt8(wide.count)
        let start = join(AV1Writer.unit(2, []), AV1Writer.unit(1, small), AV1Writer.unit(6, [10, 8, 0, 1, 2]))
        let streams: [([UInt8], (Int, Int))] = [
            (start, (16, 12)),
            (join(start, [0, 0, 0], AV1Writer.unit(1, wide)), (900, 12)),
            // With an extension, and the last one without a size.
            (join(start, [0x0E, 0x20, count], wide, [0x08], high), (900, 800)),
            // A size in more bytes than it needs.
            (join(start, [0x0A, count | 0x80, 0x80, 0], wide), (900, 12)),
            // What stands within another unit is no header, nor is one that ends too late.
            (join(start, AV1Writer.unit(15, AV1Writer.unit(1, wide)), [0x0A, 100], wide), (16, 12)),
        ]
        for (bytes, expected) in streams {
            var steps = 1_000
            let found = AV1SequenceHeader.largest(in: bytes.span, &steps)
            let size = try #require(found)
            #expect((size.width, size.height) == expected)
            #expect(steps > 900)
        }
        var steps = 1
        let found = AV1SequenceHeader.largest(in: start.span, &steps)
        #expect(found == nil && steps == 0, "it gives up")
    }

    @Test func itemsAndFramesAreFoundWhereTheLibraryFindsThem() throws {
        func payload(_ extent: Range<Int>) -> AVIFPayloads.Payload {
            AVIFPayloads.Payload(extents: [extent], width: 16, height: 12)
        }
        let files = (still: AVIFSamples.still, transparent: AVIFSamples.withAlpha, moving: AVIFSamples.moving)
        let still = try AVIFPayloads(files.still.span).payloads
        #expect(still == [payload(282..<323)])
        let transparent = try AVIFPayloads(files.transparent.span).payloads
        #expect(transparent == [payload(458..<499), payload(437..<458)])
        let moving = try AVIFPayloads(files.moving.span).payloads
        #expect(moving == [971..<1_017, 971..<1_017, 1_017..<1_053, 1_053..<1_090].map(payload))
    }

    @Test(arguments: [
        (65_536, 65_536, DownloadError.Code.tooLarge, "65,536 × 65,536"),
        (9_000, 8_000, .badImage, "9,000 × 8,000 in a box for one of 16 × 12"),
    ])
    func aPictureThatIsFarLargerThanItsBoxIsRefused(
        width: Int,
        height: Int,
        code: DownloadError.Code,
        text: String
    ) throws {
        var file = AVIFSamples.still
        let payload = AV1Writer.unit(2, []) + AV1Writer.unit(1, AV1Writer.header(width: width, height: height))
        let list = try #require((0..<file.count - 4).first { file[$0..<$0 + 4].elementsEqual("iloc".utf8) })
        file.replaceSubrange(list + 18..<list + 26, with: AV1Writer.big(file.count) + AV1Writer.big(payload.count))
        file += payload

        let error = #expect(throws: DownloadError.self) { try TestImages.decode(file, maxPixels: 100_000_000) }

        #expect(error?.code == code && error?.message.contains(text) == true, "\(error?.message ?? "")")
    }

    @Test func aFrameThatIsLargerThanItsTrackIsRefused() {
        var file = AVIFSamples.moving
        let payload = AV1Writer.unit(2, []) + AV1Writer.unit(1, AV1Writer.header(width: 65_536, height: 65_536))
        file.replaceSubrange(1_053..<1_053 + payload.count, with: payload)

        let error = #expect(throws: DownloadError.self) { try TestImages.decode(file) }

        #expect(error?.code == .tooLarge && error?.message.contains("65,536 × 65,536") == true)
    }

    @Test func aHeaderMayBeginInOnePieceAndEndInTheNext() throws {
        let payload = AV1Writer.unit(1, AV1Writer.header(width: 20_000, height: 20_000))
        let file = Self.file(payload, extents: [(0, 4), (4, payload.count - 4)])
        let payloads = try AVIFPayloads(file.span)

        let found = try #require(payloads.payloads.first)
        #expect(found.extents.count == 2 && found.extents.flatMap { file[$0] } == payload)
        #expect((found.width, found.height) == (16, 12))
        let error = #expect(throws: DownloadError.self) { try payloads.check(file.span, within: limit) }
        #expect(error?.code == .tooLarge)
    }

    @Test("a layer of a larger picture, as a thumbnail may be, is none too large")
    func aBoxMayTellOfALayer() throws {
        let payload = AV1Writer.unit(1, AV1Writer.header(width: 4_000, height: 3_000))
        let file = Self.file(payload, extents: [(0, payload.count)])
        try AVIFPayloads(file.span).check(file.span, within: PixelLimit(maxPixels: 12_000_000))
    }

    @Test func theSameBytesAreNotReadAgainAndAgain() throws {
        let file = Self.file([UInt8](repeating: 0, count: 100), extents: Array(repeating: (0, 100), count: 60_000))
        let payloads = try AVIFPayloads(file.span)
        let error = #expect(throws: DownloadError.self) { try payloads.check(file.span, within: limit) }
        #expect(error?.code == .badImage)
    }

    @Test func placesThatNoFileHasAreEmpty() throws {
        let file = Self.file([1, 2, 3], extents: [(0xFFFF_FFFF, 0xFFFF_FFFF), (1, 0xFFFF_FFFF)])
        let payloads = try AVIFPayloads(file.span).payloads
        #expect(payloads.first?.extents == [file.count..<file.count, file.count - 2..<file.count])
    }

    @Test func twoListsOfItemsAreNotClear() {
        let twice = AVIFSamples.still + AVIFSamples.still
        let error = #expect(throws: DownloadError.self) { try AVIFPayloads(twice.span) }
        #expect(error?.code == .badImage)
    }

    /// A file of 16 × 12 pixels, as its boxes say; the pieces of its one item stand in the box at its end.
    private static func file(_ payload: [UInt8], extents: [(Int, Int)]) -> [UInt8] {
        let entry = box("infe", [[2, 0, 0, 0, 0, 1, 0, 0], Array("av01".utf8)])
        let size = box("ispe", [[0, 0, 0, 0], AV1Writer.big(16), AV1Writer.big(12)])
        let owners = box("ipma", [[0, 0, 0, 0, 0, 0, 0, 1, 0, 1, 1, 0x81]])
        var places: [UInt8] = [1, 0, 0, 0, 0x44, 0, 0, 1, 0, 1, 0, 1, 0, 0]
        places += AV1Writer.big(extents.count).suffix(2)
        for (offset, length) in extents {
            places += AV1Writer.big(offset)
            places += AV1Writer.big(length)
        }
        let items = box("iinf", [[0, 0, 0, 0, 0, 1], entry])
        let properties = box("iprp", [box("ipco", [size]), owners])
        return box("meta", [[0, 0, 0, 0], items, properties, box("iloc", [places]), box("idat", [payload])])
    }

    private static func box(_ kind: String, _ parts: [[UInt8]]) -> [UInt8] {
        let content = Array(parts.joined())
        return AV1Writer.big(content.count + 8) + Array(kind.utf8) + content
    }
}
