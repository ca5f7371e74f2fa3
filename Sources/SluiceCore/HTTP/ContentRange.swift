/// What a `Content-Range` field says: which bytes follow, of how many.
///
/// Parses only, and strictly: a range that is misread would put bytes where they don't belong.
///
/// - SeeAlso: RFC 9110 §14.4
public struct ContentRange: Equatable, Sendable {
    /// The bytes that follow; `nil` in `bytes */total`, where none do.
    public let range: Range<Int>?
    /// Bytes of the whole; `nil` if the server does not know.
    public let total: Int?

    /// A range that is known already; nothing is checked.
    public init(range: Range<Int>?, total: Int?) { (self.range, self.total) = (range, total) }

    /// Reads a value, such as `bytes 500-999/1234`; `nil` if it is none, contradicts itself, or has another unit.
    public init?(_ text: String) {
        let parts = text.utf8.split(separator: UInt8(ascii: " "), omittingEmptySubsequences: true)
        guard parts.count == 2, String(decoding: parts[0], as: UTF8.self).lowercased() == "bytes" else { return nil }
        let halves = parts[1].split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        guard halves.count == 2 else { return nil }
        let isTotalUnknown = halves[1].elementsEqual("*".utf8)
        let total = isTotalUnknown ? nil : Self.number(halves[1])
        guard isTotalUnknown || total != nil else { return nil }
        if halves[0].elementsEqual("*".utf8) {
            guard total != nil else { return nil }
            self.init(range: nil, total: total)
            return
        }
        let ends = halves[0].split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
        guard ends.count == 2, let first = Self.number(ends[0]), let last = Self.number(ends[1]), first <= last,
            total.map({ last < $0 }) ?? true
        else { return nil }
        self.init(range: first..<last + 1, total: total)
    }

    /// Digits and nothing else; `nil` beyond 2⁶².
    private static func number(_ digits: Substring.UTF8View) -> Int? {
        guard !digits.isEmpty, digits.count < 19 else { return nil }
        var number = 0
        for digit in digits {
            guard (48...57).contains(digit) else { return nil }
            number = number * 10 + Int(digit - 48)
        }
        return number
    }
}
