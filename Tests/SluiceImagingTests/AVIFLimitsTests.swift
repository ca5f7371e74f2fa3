import SluiceCore
import Testing

@testable import SluiceImaging

/// Small files that would keep libavif busy, or make it take memory, are refused before it sees them.
struct AVIFLimitsTests {
    private static let picture = AV1Writer.unit(1, AV1Writer.header(width: 16, height: 12))

    private static func box(_ kind: String, _ parts: [UInt8]...) -> [UInt8] {
        let content = Array(parts.joined())
        return AV1Writer.big(content.count + 8) + Array(kind.utf8) + content
    }

    private static func join(_ parts: [UInt8]...) -> [UInt8] { Array(parts.joined()) }

    private static func short(_ number: Int) -> [UInt8] { Array(AV1Writer.big(number).suffix(2)) }

    private static func code(_ file: [UInt8]) -> DownloadError.Code? {
        do throws(DownloadError) {
            let payloads = try AVIFPayloads(file.span)
            try payloads.check(file.span, within: PixelLimit(maxPixels: 1_000_000))
            return nil
        } catch {
            return error.code
        }
    }

    // MARK: Items

    /// Pictures that all are of the same bytes, those of the `idat` box.
    private static func grid(_ count: Int, before: [UInt8] = []) -> [UInt8] {
        let names: [UInt8] = (1...count).flatMap { number in
            box("infe", [2, 0, 0, 0], short(number), [0, 0], Array("av01".utf8))
        }
        let places: [UInt8] = (1...count).flatMap { number in
            join(short(number), [0, 1, 0, 0, 0, 1], AV1Writer.big(0), AV1Writer.big(picture.count))
        }
        let meta = box(
            "meta",
            [0, 0, 0, 0],
            box("iinf", [0, 0, 0, 0], short(count), names),
            box("iprp", box("ipco", box("ispe", [0, 0, 0, 0], AV1Writer.big(16), AV1Writer.big(12)))),
            box("iloc", [1, 0, 0, 0, 0x44, 0], short(count), places),
            box("idat", picture)
        )
        return before + meta
    }

    @Test func eachTileTakesMemoryWhateverItIsOf() throws {
        #expect(Self.code(Self.grid(48)) == nil)
        let allowed = Self.grid(AVIFPayloads.itemLimit)
        let payloads = try AVIFPayloads(allowed.span).payloads
        #expect(payloads.count == AVIFPayloads.itemLimit && Self.code(allowed) == nil)
        let file = Self.grid(AVIFPayloads.itemLimit + 1)
        #expect(Self.code(file) == .tooLarge)
    }

    @Test func framesAreNoTiles() {
        let frames = Self.movie(times: [(1_000, 1)], frames: 1_000)
        let file = Self.grid(AVIFPayloads.itemLimit, before: frames)
        #expect(Self.code(file) == nil)
    }

    /// A list of items of which none is a picture.
    private static func list(_ kind: String, _ count: Int) -> [UInt8] {
        func each(_ entry: (Int) -> [UInt8]) -> [UInt8] { (0..<count).flatMap(entry) }
        let number = AV1Writer.big(count)
        switch kind {
        case "places":
            return box("iloc", [2, 0, 0, 0, 0x44, 0], number, each { AV1Writer.big($0 + 2) + [0, 0, 0, 0, 0, 0] })
        case "places of sizes that no library reads":
            return box("iloc", [2, 0, 0, 0, 0xFF, 0], number, each { AV1Writer.big($0 + 2) + [0, 0, 0, 0, 0, 0] })
        case "names":
            let names = each { box("infe", [3, 0, 0, 0], AV1Writer.big($0 + 2), [0, 0, 0, 0, 0, 0]) }
            return box("iinf", [1, 0, 0, 0], number, names)
        case "owners":
            return box("iprp", box("ipma", [1, 0, 0, 0], number, each { AV1Writer.big($0 + 2) + [0] }))
        default:
            let targets = each { AV1Writer.big($0 + 2) }
            return box("iref", [1, 0, 0, 0], box("dimg", [0, 0, 0, 1], short(count), targets))
        }
    }

    @Test(arguments: ["places", "places of sizes that no library reads", "names", "owners", "references"])
    func longListsOfItemsAreRefused(kind: String) {
        // A few are fewer than the limit, as references have a head of their own.
        for (count, expected) in [(9_900, nil), (10_001, .tooLarge)] as [(Int, DownloadError.Code?)] {
            let meta = Self.box("meta", [0, 0, 0, 0], Self.list(kind, count))
            #expect(Self.code(meta) == expected, "\(count)")
            let track = Self.box("moov", Self.box("trak", meta))
            #expect(Self.code(track) == expected, "\(count), of a track")
            let tracks = Self.box("moov", Self.box("trak", meta), Self.box("trak", meta))
            #expect(Self.code(tracks) == .tooLarge, "\(count), of two tracks")
        }
    }

    /// In the file an entry takes ten bytes, in memory a megabyte.
    @Test func piecesWithoutABytePerPieceAreCounted() {
        func list(_ extents: Int) -> [UInt8] {
            let place = AV1Writer.big(2) + [0, 0, 0, 0] + Self.short(extents)
            return Self.box("meta", [0, 0, 0, 0], Self.box("iloc", [2, 0, 0, 0, 0, 0], AV1Writer.big(1), place))
        }
        #expect(Self.code(list(1)) == nil)
        #expect(Self.code(list(65_535)) == .tooLarge)
    }

    // MARK: Tracks

    /// The tables of a sequence with a chunk for each frame.
    private static func tables(
        times: [(count: Int, delta: Int)],
        frames: Int,
        runs: Int = 1,
        frame: Range<Int> = 0..<1
    ) -> [UInt8] {
        let places: [UInt8] = (0..<frames).flatMap { _ in AV1Writer.big(frame.lowerBound) }
        let timeEntries: [UInt8] = times.flatMap { AV1Writer.big($0.count) + AV1Writer.big($0.delta) }
        let runEntries: [UInt8] = (1...runs).flatMap { join(AV1Writer.big($0), AV1Writer.big(1), AV1Writer.big(1)) }
        return join(
            box("stsz", [0, 0, 0, 0], AV1Writer.big(frame.count), AV1Writer.big(frames)),
            box("stco", [0, 0, 0, 0], AV1Writer.big(frames), places),
            box("stsc", [0, 0, 0, 0], AV1Writer.big(runs), runEntries),
            box("stts", [0, 0, 0, 0], AV1Writer.big(times.count), timeEntries)
        )
    }

    /// A sequence of frames that are no pictures.
    private static func movie(times: [(count: Int, delta: Int)], frames: Int, runs: Int = 1) -> [UInt8] {
        let kind = box("stsd", [0, 0, 0, 0, 0, 0, 0, 1], box("av01", []))
        let table = box("stbl", kind, tables(times: times, frames: frames, runs: runs))
        return box("moov", box("trak", box("mdia", box("minf", table))))
    }

    /// A box with other tables in the innermost of the boxes of a path.
    private static func replaced(_ path: ArraySlice<String>, in content: [UInt8], by tables: [UInt8]) -> [UInt8] {
        guard let name = path.first else {
            let kind = ISOCursor.contents(of: "stsd", in: 0..<content.count, content.span)
            return kind.flatMap { box("stsd", Array(content[$0])) } + tables
        }
        var boxes = ISOCursor(0..<content.count)
        var result: [UInt8] = []
        while let entry = boxes.box(content.span) {
            let inner = Array(content[entry.content])
            let isNext = content[..<entry.content.lowerBound].suffix(4).elementsEqual(name.utf8)
            let other = String(decoding: content[..<entry.content.lowerBound].suffix(4), as: UTF8.self)
            result += isNext ? box(name, replaced(path.dropFirst(), in: inner, by: tables)) : box(other, inner)
        }
        return result
    }

    /// One picture again and again.
    private static func sequence(times: [(count: Int, delta: Int)], frames: Int) throws -> [UInt8] {
        let moving = AVIFSamples.moving
        let picture = Array(moving[971..<1_017])
        let movies = ISOCursor.contents(of: "moov", in: 0..<moving.count, moving.span)
        let movie = try #require(movies.first)
        let kind = box("ftyp", Array("avis".utf8), [0, 0, 0, 0], Array("avismsf1".utf8))
        let start = kind.count + 8
        let tables = Self.tables(times: times, frames: frames, frame: start..<start + picture.count)
        let path = ["trak", "mdia", "minf", "stbl"]
        return join(kind, box("mdat", picture), box("moov", replaced(path[...], in: Array(moving[movie]), by: tables)))
    }

    @Test(arguments: [
        // As files have them: one entry for all, or one for each.
        (1, 4_096, 4_096), (1_000, 1_000, 1_000),
        // With thousands that say nothing, fewer frames are shown.
        (100_000, 4_096, 141), (4_096, 4_096, 698),
    ])
    func timesDecideHowManyFramesAreWorthShowing(entries: Int, frames: Int, shown: Int) throws {
        let times = Array(repeating: (count: entries == 1 ? frames : 0, delta: 1), count: entries)
        let file = Self.movie(times: times, frames: frames)
        let payloads = try AVIFPayloads(file.span)
        #expect(min(frames, payloads.frameLimit) == shown)
    }

    @Test func aSequenceOfEndlessTimesIsCutShort() throws {
        let plain = try TestImages.decode(Self.sequence(times: [(150, 10)], frames: 150))
        #expect(plain.info.frames == 150 && plain.animation?.frames.count == 150)

        let empty = Array(repeating: (count: 0, delta: 1), count: 99_999)
        let file = try Self.sequence(times: empty + [(count: 150, delta: 10)], frames: 150)
        let image = try TestImages.decode(file)

        let animation = try #require(image.animation)
        #expect(image.info.frames == 150 && animation.frames.count == 141 && animation.isCutShort)
    }

    @Test func entriesWithoutRoomAreNone() throws {
        var file = AVIFSamples.moving
        let start = try #require((0..<file.count - 4).first { file[$0..<$0 + 4].elementsEqual("stts".utf8) })
        file[start + 8] = 0xFF
        let limit = try AVIFPayloads(file.span).frameLimit
        #expect(limit == FrameBudget.frameLimit)
    }

    @Test func runsTimesChunksAreRefused() {
        #expect(Self.code(Self.movie(times: [(4_000, 1)], frames: 4_000, runs: 4_000)) == nil)
        #expect(Self.code(Self.movie(times: [(20_000, 1)], frames: 20_000, runs: 20_000)) == .tooLarge)
    }
}
