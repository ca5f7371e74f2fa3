/// How large the boxes of an AVIF file say that its pictures are.
struct AVIFItemSizes {
    private var sizes: [Int: (width: Int, height: Int)] = [:]
    /// In either direction.
    private var largest = (width: 0, height: 0)

    /// Of an item; of one that has none, as transparency may, as much as any has.
    subscript(item: Int) -> (width: Int, height: Int) { sizes[item] ?? largest }

    /// Reads the properties, and which items have them.
    mutating func read(_ content: Range<Int>, _ bytes: Span<UInt8>) {
        var properties: [Int: (width: Int, height: Int)] = [:]
        for list in ISOCursor.contents(of: "ipco", in: content, bytes) {
            var (boxes, number) = (ISOCursor(list), 0)
            while let box = boxes.box(bytes) {
                number += 1
                var fields = ISOCursor(box.content)
                fields.skip(4)
                guard box.kind == "ispe", let width = fields.number(4, bytes), let height = fields.number(4, bytes)
                else { continue }
                properties[number] = (width, height)
                largest = (max(largest.width, width), max(largest.height, height))
            }
        }
        for list in ISOCursor.contents(of: "ipma", in: content, bytes) { associate(list, properties, bytes) }
    }

    private mutating func associate(
        _ content: Range<Int>,
        _ properties: [Int: (width: Int, height: Int)],
        _ bytes: Span<UInt8>
    ) {
        var fields = ISOCursor(content)
        guard let head = fields.number(4, bytes), let count = fields.number(4, bytes) else { return }
        let (numberSize, referenceSize) = (head >> 24 == 0 ? 2 : 4, head & 1 == 0 ? 1 : 2)
        for _ in 0..<count {
            guard let item = fields.number(numberSize, bytes), let references = fields.number(1, bytes) else { return }
            for _ in 0..<references {
                guard let reference = fields.number(referenceSize, bytes) else { return }
                // The highest bit says whether it must be understood.
                let property = reference & (referenceSize == 1 ? 0x7F : 0x7FFF)
                // The first one counts.
                if sizes[item] == nil, let size = properties[property] { sizes[item] = size }
            }
        }
    }
}
