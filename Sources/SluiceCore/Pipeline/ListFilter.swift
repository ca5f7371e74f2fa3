/// Decides which rows of a list are shown: every word must occur; `!` in front turns it round.
///
/// Case does not matter in ASCII. Looks into the URL as it is, and into the name as
/// people read it, percent-decoded, where that differs. Fast enough to ask for each of
/// a hundred thousand rows.
public struct ListFilter: Equatable, Sendable {
    /// As typed.
    public let text: String
    private let words: [[UInt8]]
    private let isInverse: Bool

    /// Takes the words of a filter line; without any, every row is shown.
    public init(_ text: String = "") {
        self.text = text
        let isInverse = text.first == "!"
        self.isInverse = isInverse
        words = (isInverse ? text.dropFirst() : text[...]).split(separator: " ").map { word in
            word.utf8.map(Self.folded)
        }
    }

    /// Whether it lets everything through.
    public var isEmpty: Bool { words.isEmpty }

    /// - Parameters:
    ///   - url: Normalised.
    ///   - name: What the row is called, asked for only where the URL alone can't decide.
    /// - Returns: Whether the row is shown.
    public func matches(url: String, name: () -> String) -> Bool {
        guard !isEmpty else { return true }
        if contains(all: url) { return !isInverse }
        let mayDiffer = url.utf8.contains(UInt8(ascii: "%"))
        return (mayDiffer && contains(all: url + " " + name())) != isInverse
    }

    /// - Parameter text: All that a row says.
    /// - Returns: Whether the row is shown.
    public func matches(_ text: String) -> Bool { isEmpty || contains(all: text) != isInverse }

    private func contains(all text: String) -> Bool {
        var text = text
        return text.withUTF8 { bytes in
            let span = unsafe Span(_unsafeElements: bytes)
            return words.allSatisfy { Self.contains($0, span) }
        }
    }

    private static func contains(_ word: [UInt8], _ bytes: Span<UInt8>) -> Bool {
        guard let first = word.first, word.count <= bytes.count else { return word.isEmpty }
        for start in 0...(bytes.count - word.count) where folded(bytes[start]) == first {
            var length = 1
            while length < word.count, folded(bytes[start + length]) == word[length] { length += 1 }
            if length == word.count { return true }
        }
        return false
    }

    private static func folded(_ byte: UInt8) -> UInt8 {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
    }
}
