internal import SluiceCore

extension AVIFPayloads {
    /// Adds the items that are pictures of AV1: tiles, transparency and small copies among them.
    mutating func addItems(of meta: Range<Int>, _ bytes: Span<UInt8>) throws(DownloadError) {
        try checkLookups(of: meta, bytes)
        var pictures: Set<Int> = []
        var sizes = AVIFItemSizes()
        var locations: [Range<Int>] = []
        var data: Range<Int>?
        var boxes = ISOCursor(meta)
        Self.skipVersion(&boxes)
        while let box = boxes.box(bytes) {
            switch box.kind {
            case "iinf": pictures.formUnion(Self.pictures(box.content, bytes))
            case "iprp": sizes.read(box.content, bytes)
            case "iloc": locations.append(box.content)
            case "idat": data = data ?? box.content
            default: break
            }
        }
        for location in locations {
            try addItems(at: location, of: pictures, sizes, within: data?.lowerBound ?? bytes.count, bytes)
        }
    }

    /// Refuses lists of items that would keep the library busy.
    mutating func checkLookups(of meta: Range<Int>, _ bytes: Span<UInt8>) throws(DownloadError) {
        lookupCount += AVIFLookups(meta, bytes).count
        guard lookupCount <= AVIFLookups.limit else {
            throw DownloadError(
                .tooLarge,
                "AVIF whose lists have more than \(AVIFLookups.limit.grouped) entries would take too long to decode"
            )
        }
    }

    /// Goes past the version and the flags that begin many boxes.
    static func skipVersion(_ cursor: inout ISOCursor) { cursor.skip(4) }

    /// A piece of the file, as far as it is in it: each number may be as large as there is.
    ///
    /// - Parameters:
    ///   - places: What is added up to its start.
    ///   - size: In bytes.
    ///   - count: Of the bytes of the file.
    /// - Returns: An empty range for one that is not in the file.
    static func extent(at places: [Int], _ size: Int, of count: Int) -> Range<Int> {
        let start = places.reduce(0) { min(count, $0 + min(count, $1)) }
        return start..<start + min(count - start, size)
    }

    /// The numbers of the items that are pictures of AV1.
    private static func pictures(_ content: Range<Int>, _ bytes: Span<UInt8>) -> Set<Int> {
        var pictures: Set<Int> = []
        var entries = ISOCursor(content)
        guard let version = entries.number(4, bytes) else { return pictures }
        entries.skip(version >> 24 == 0 ? 2 : 4)
        while let entry = entries.box(bytes) {
            var fields = ISOCursor(entry.content)
            guard entry.kind == "infe", let version = fields.number(4, bytes),
                let item = fields.number(version >> 24 == 2 ? 2 : 4, bytes)
            else { continue }
            // An index that protects it.
            fields.skip(2)
            if fields.kind(bytes) == "av01" { pictures.insert(item) }
        }
        return pictures
    }

    private mutating func addItems(
        at location: Range<Int>,
        of pictures: Set<Int>,
        _ sizes: AVIFItemSizes,
        within data: Int,
        _ bytes: Span<UInt8>
    ) throws(DownloadError) {
        var fields = ISOCursor(location)
        guard let head = fields.number(4, bytes), let widths = fields.number(2, bytes) else { return }
        let version = head >> 24
        let (offsetSize, lengthSize, baseSize) = (widths >> 12, widths >> 8 & 15, widths >> 4 & 15)
        let indexSize = version == 0 ? 0 : widths & 15
        let numberSize = version < 2 ? 2 : 4
        guard [offsetSize, lengthSize, baseSize, indexSize].allSatisfy({ $0 <= 8 }), lengthSize > 0,
            let count = fields.number(numberSize, bytes)
        else { return }
        for _ in 0..<count {
            guard let item = fields.number(numberSize, bytes),
                let method = fields.number(version == 0 ? 0 : 2, bytes)
            else { return }
            // Another file than this one.
            fields.skip(2)
            guard let base = fields.number(baseSize, bytes), let extentCount = fields.number(2, bytes) else { return }
            var extents: [Range<Int>] = []
            for _ in 0..<extentCount {
                fields.skip(indexSize)
                guard let offset = fields.number(offsetSize, bytes), let length = fields.number(lengthSize, bytes)
                else { return }
                let start = method & 15 == 1 ? data : 0
                extents.append(Self.extent(at: [start, base, offset], length, of: bytes.count))
            }
            guard pictures.contains(item), !extents.isEmpty else { continue }
            itemCount += 1
            guard itemCount <= Self.itemLimit else {
                throw DownloadError(
                    .tooLarge,
                    "AVIF of more than \(Self.itemLimit) pictures needs too much memory to decode"
                )
            }
            let size = sizes[item]
            try add(Payload(extents: extents, width: size.width, height: size.height))
        }
    }
}
