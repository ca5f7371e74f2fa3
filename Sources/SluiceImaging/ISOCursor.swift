/// A place in the boxes of an ISO file, and where the one around it ends.
///
/// Knows places only, and is handed the bytes at each step. Never goes back, nor beyond its end.
///
/// - SeeAlso: ISO/IEC 14496-12 §4.2.
struct ISOCursor {
    /// What a box is, in four characters.
    struct Kind: Equatable, ExpressibleByStringLiteral {
        private let code: Int

        init(stringLiteral text: String) { code = text.utf8.reduce(0) { $0 << 8 | Int($1) } }

        fileprivate init(code: Int) { self.code = code }
    }

    /// What is left.
    private var range: Range<Int>

    /// - Parameter range: In the file.
    init(_ range: Range<Int>) { self.range = range }

    /// Reads a number; what is larger than any place in a file is the largest number that there is.
    ///
    /// - Parameters:
    ///   - size: In bytes. `0...8`; of no bytes it is 0.
    ///   - bytes: The whole file.
    /// - Returns: `nil` if the end comes before.
    mutating func number(_ size: Int, _ bytes: Span<UInt8>) -> Int? {
        guard size <= range.count else { return nil }
        var value = 0
        for offset in range.lowerBound..<range.lowerBound + size { value = value << 8 | Int(bytes[offset]) }
        skip(size)
        return value < 0 ? .max : value
    }

    /// Goes on by so many bytes, at most to the end.
    mutating func skip(_ count: Int) { range = min(range.upperBound, range.lowerBound + count)..<range.upperBound }

    /// Reads one of the four characters that name a kind of box, of item or of sample.
    mutating func kind(_ bytes: Span<UInt8>) -> Kind? { number(4, bytes).map(Kind.init(code:)) }

    /// Reads a box as a whole.
    ///
    /// - Parameter bytes: The whole file.
    /// - Returns: What it is, and where its content stands; `nil` at the end, and where no box is.
    mutating func box(_ bytes: Span<UInt8>) -> (kind: Kind, content: Range<Int>)? {
        let (start, end) = (range.lowerBound, range.upperBound)
        guard var size = number(4, bytes), let name = kind(bytes) else { return nil }
        if size == 1 {
            guard let long = number(8, bytes) else { return nil }
            size = long
        }
        // Without a size, it goes to the end.
        if size == 0 { size = end - start }
        let first = range.lowerBound
        guard size >= first - start else { return nil }
        let content = first..<start + min(size, end - start)
        range = content.upperBound..<end
        return (name, content)
    }

    /// The contents of all boxes of a kind within a range.
    static func contents(of kind: Kind, in range: Range<Int>, _ bytes: Span<UInt8>) -> [Range<Int>] {
        var cursor = ISOCursor(range)
        var contents: [Range<Int>] = []
        while let box = cursor.box(bytes) {
            if box.kind == kind { contents.append(box.content) }
        }
        return contents
    }
}
