internal import SluiceCore

/// How many entries the lists of a `meta` box have.
///
/// The library looks up the item of each among all that it has found, one by one: its time grows with the square of
/// this. So all are counted that it may read, also those of which nothing is decoded.
///
/// - SeeAlso: ISO/IEC 14496-12 §8.11.3 (`iloc`), §8.11.6 (`iinf`), §8.11.12 (`iref`), §8.11.14 (`ipma`).
struct AVIFLookups {
    /// More than a picture of ``AVIFPayloads/itemLimit`` tiles has.
    static let limit = 10_000

    private(set) var count = 0

    /// Counts until there are too many.
    ///
    /// - Parameters:
    ///   - meta: The content of the box.
    ///   - bytes: The whole file.
    init(_ meta: Range<Int>, _ bytes: Span<UInt8>) {
        var boxes = ISOCursor(meta)
        AVIFPayloads.skipVersion(&boxes)
        while count <= Self.limit, let box = boxes.box(bytes) {
            switch box.kind {
            case "iloc": addPlaces(box.content, bytes)
            case "iinf": addNames(box.content, bytes)
            case "iref": addReferences(box.content, bytes)
            case "iprp":
                for list in ISOCursor.contents(of: "ipma", in: box.content, bytes) { addOwners(list, bytes) }
            default: break
            }
        }
    }

    private mutating func addPlaces(_ content: Range<Int>, _ bytes: Span<UInt8>) {
        var fields = ISOCursor(content)
        guard let head = fields.number(4, bytes), let widths = fields.number(2, bytes) else { return }
        let version = head >> 24
        let numberSize = version < 2 ? 2 : 4
        let extentSize = (widths >> 12) + (widths >> 8 & 15) + (version == 0 ? 0 : widths & 15)
        guard var entries = fields.number(numberSize, bytes) else { return }
        while entries > 0, count <= Self.limit {
            // Its number, how it is kept where that may differ, another file, and what its places are counted from.
            fields.skip(numberSize + (version == 0 ? 2 : 4) + (widths >> 4 & 15))
            guard let extents = fields.number(2, bytes) else { return }
            // Those that take no bytes are kept in memory nevertheless.
            count += extentSize == 0 ? 1 + extents : 1
            fields.skip(extents * extentSize)
            entries -= 1
        }
    }

    private mutating func addNames(_ content: Range<Int>, _ bytes: Span<UInt8>) {
        var entries = ISOCursor(content)
        guard let version = entries.number(4, bytes) else { return }
        entries.skip(version >> 24 == 0 ? 2 : 4)
        while count <= Self.limit, entries.box(bytes) != nil { count += 1 }
    }

    /// As many as there is room for: the library goes on where a box of it ends.
    private mutating func addReferences(_ content: Range<Int>, _ bytes: Span<UInt8>) {
        var fields = ISOCursor(content)
        guard let version = fields.number(4, bytes) else { return }
        count += content.count / (version >> 24 == 0 ? 2 : 4)
    }

    private mutating func addOwners(_ content: Range<Int>, _ bytes: Span<UInt8>) {
        var fields = ISOCursor(content)
        guard let head = fields.number(4, bytes), var entries = fields.number(4, bytes) else { return }
        let (numberSize, referenceSize) = (head >> 24 == 0 ? 2 : 4, head & 1 == 0 ? 1 : 2)
        while entries > 0, count <= Self.limit {
            fields.skip(numberSize)
            guard let references = fields.number(1, bytes) else { return }
            count += 1
            fields.skip(references * referenceSize)
            entries -= 1
        }
    }
}
