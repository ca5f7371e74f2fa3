internal import SluiceCore

extension AVIFPayloads {
    /// Steps that the library may take to find the chunks of a track, which is a tenth of a second.
    private static let chunkSteps = 100_000_000
    /// Steps that it may take for the times of all frames: as many as a thousand frames have, each with its own entry.
    private static let timeSteps = 1_000_000_000

    /// Adds the frames of sequences of AV1, as many of each as may be shown.
    mutating func addTracks(of movie: Range<Int>, _ bytes: Span<UInt8>) throws(DownloadError) {
        for track in ISOCursor.contents(of: "trak", in: movie, bytes) {
            for meta in ISOCursor.contents(of: "meta", in: track, bytes) { try checkLookups(of: meta, bytes) }
            var size = (width: 0, height: 0)
            for header in ISOCursor.contents(of: "tkhd", in: track, bytes) { size = Self.size(header, bytes) ?? size }
            for media in ISOCursor.contents(of: "mdia", in: track, bytes) {
                for information in ISOCursor.contents(of: "minf", in: media, bytes) {
                    for table in ISOCursor.contents(of: "stbl", in: information, bytes) {
                        try limitFrames(by: table, bytes)
                        for frame in Self.frames(table, bytes) {
                            try add(Payload(extents: [frame], width: size.width, height: size.height))
                        }
                    }
                }
            }
        }
    }

    /// Refuses a table that would keep the library busy, and stops where its times begin to.
    ///
    /// The library goes through all runs for each chunk. For the time of each frame it adds up those of all before it,
    /// and finds each of these from the first entry on.
    private mutating func limitFrames(by table: Range<Int>, _ bytes: Span<UInt8>) throws(DownloadError) {
        var (times, chunks, runs) = (0, 0, 0)
        var boxes = ISOCursor(table)
        while let box = boxes.box(bytes) {
            switch box.kind {
            case "stts": times += Self.entries(box.content, of: 8, bytes)
            case "stco": chunks += Self.entries(box.content, of: 4, bytes)
            case "co64": chunks += Self.entries(box.content, of: 8, bytes)
            case "stsc": runs += Self.entries(box.content, of: 12, bytes)
            default: break
            }
        }
        guard chunks == 0 || runs <= Self.chunkSteps / chunks else {
            throw DownloadError(
                .tooLarge,
                "AVIF of \(chunks.grouped) chunks in \(runs.grouped) runs would take too long to decode"
            )
        }
        let limit = Double(2 * Self.timeSteps / max(1, times)).squareRoot()
        frameLimit = max(1, min(frameLimit, Int(limit)))
    }

    /// How many entries of a size a list has, by its number of them and by the room that there is.
    private static func entries(_ list: Range<Int>, of size: Int, _ bytes: Span<UInt8>) -> Int {
        var fields = ISOCursor(list)
        skipVersion(&fields)
        return min(fields.number(4, bytes) ?? 0, list.count / size)
    }

    /// Of a track as it is shown, in whole pixels.
    private static func size(_ header: Range<Int>, _ bytes: Span<UInt8>) -> (width: Int, height: Int)? {
        var fields = ISOCursor(header)
        guard let head = fields.number(4, bytes) else { return nil }
        // Times take more in the newer version; behind them stand layers and a matrix.
        fields.skip(head >> 24 == 0 ? 72 : 84)
        guard let width = fields.number(4, bytes), let height = fields.number(4, bytes) else { return nil }
        return (width >> 16, height >> 16)
    }

    /// Where the first frames of a track stand; none if they are not of AV1.
    private static func frames(_ table: Range<Int>, _ bytes: Span<UInt8>) -> [Range<Int>] {
        var isPicture = false
        var (sizes, commonSize): ([Int], Int) = ([], 0)
        var chunks: [Int] = []
        var runs: [(first: Int, count: Int)] = []
        var boxes = ISOCursor(table)
        while let box = boxes.box(bytes) {
            var fields = ISOCursor(box.content)
            skipVersion(&fields)
            switch box.kind {
            case "stsd":
                fields.skip(4)
                while let entry = fields.box(bytes) { isPicture = isPicture || entry.kind == "av01" }
            case "stsz":
                commonSize = fields.number(4, bytes) ?? 0
                sizes += list(&fields, of: 4, bytes)
            case "stco": chunks += list(&fields, of: 4, bytes)
            case "co64": chunks += list(&fields, of: 8, bytes)
            case "stsc":
                let numbers = list(&fields, of: 4, each: 3, bytes)
                for index in stride(from: 0, to: numbers.count - 2, by: 3) {
                    runs.append((numbers[index], numbers[index + 1]))
                }
            default: break
            }
        }
        guard isPicture, !runs.isEmpty else { return [] }
        var frames: [Range<Int>] = []
        var run = 0
        for (index, chunk) in chunks.enumerated() {
            while run + 1 < runs.count, runs[run + 1].first <= index + 1 { run += 1 }
            var place = min(bytes.count, chunk)
            for _ in 0..<runs[run].count {
                guard frames.count < FrameBudget.frameLimit, commonSize > 0 || frames.count < sizes.count else {
                    return frames
                }
                let size = commonSize > 0 ? commonSize : sizes[frames.count]
                frames.append(extent(at: [place], size, of: bytes.count))
                place = min(bytes.count, place + size)
            }
        }
        return frames
    }

    /// The first entries of a list whose number stands in front of them; `each` numbers are one entry.
    private static func list(
        _ fields: inout ISOCursor,
        of size: Int,
        each: Int = 1,
        _ bytes: Span<UInt8>
    ) -> [Int] {
        var numbers: [Int] = []
        for _ in 0..<min(fields.number(4, bytes) ?? 0, FrameBudget.frameLimit) {
            for _ in 0..<each {
                guard let number = fields.number(size, bytes) else { return numbers }
                numbers.append(number)
            }
        }
        return numbers
    }
}
