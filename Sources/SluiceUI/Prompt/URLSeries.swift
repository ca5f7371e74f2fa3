/// A URL whose path stands for many: `[001-040]` and `[a-f]` count, `[0-90:15]` in steps, `{a,b}` lists.
///
/// Only in the path, so that an address in brackets and a query stay what they are. Counting
/// costs nothing; only ``members`` spells them out. Other brackets stand for themselves, unless a
/// series was clearly meant: then ``fault`` says what is wrong with it.
package struct URLSeries: Equatable, Sendable {
    /// URLs of one line at most.
    static let limit = 10_000

    private enum Part: Equatable {
        case text(String)
        case list([String])
        /// Numbers, in steps, with leading zeros to a width.
        case numbers(ClosedRange<Int>, by: Int, width: Int)
        case letters(ClosedRange<UInt8>)

        /// Capped, so that a product never overflows.
        var count: Int {
            switch self {
            case .text: 1
            case .list(let words): words.count
            case .numbers(let range, let step, _):
                min(URLSeries.limit, (range.upperBound - range.lowerBound) / step) + 1
            case .letters(let range): range.count
            }
        }

        var members: [String] {
            switch self {
            case .text(let text): [text]
            case .list(let words): words
            case .numbers(let range, let step, let width):
                stride(from: range.lowerBound, through: range.upperBound, by: step).map { number in
                    let digits = String(number)
                    return String(repeating: "0", count: max(0, width - digits.count)) + digits
                }
            case .letters(let range): range.map { String(Character(Unicode.Scalar($0))) }
            }
        }
    }

    /// Why the first group that was meant as a series is none, with the cure.
    private(set) var fault: String?
    /// The first group that is a series, or was meant as one, as it was written.
    package private(set) var firstGroup: String?
    private var parts: [Part] = []

    package init(_ url: String) {
        guard let (characters, path) = Self.path(of: url) else {
            parts = [.text(url)]
            return
        }
        var text = String(characters[..<path.lowerBound])
        var index = path.lowerBound
        while index < characters.count {
            let rest = index < path.upperBound ? characters[index..<path.upperBound] : []
            if let (part, next) = Self.group(rest) {
                firstGroup = firstGroup ?? String(characters[index..<next])
                parts += [.text(text), part]
                (text, index) = ("", next)
            } else {
                if let wrong = WrongSeries(rest) {
                    fault = fault ?? wrong.fault
                    firstGroup = firstGroup ?? wrong.text
                }
                text.append(characters[index])
                index += 1
            }
        }
        parts.append(.text(text))
    }

    /// The first group in the query that would be a series in the path: it stays what it is, as all brackets there.
    static func groupInQuery(of url: String) -> String? {
        guard let (characters, path) = path(of: url), path.upperBound < characters.count,
            characters[path.upperBound] == "?"
        else { return nil }
        let query = characters[path.upperBound...].prefix { $0 != "#" }
        for index in query.indices {
            guard let (_, next) = group(query[index...]) else { continue }
            let text = String(query[index..<next])
            // Data in braces is no list.
            if !text.contains("\"") { return text }
        }
        return nil
    }

    /// How many URLs it stands for, 1 where it holds no series; ``limit`` + 1 for all that is more than ``limit``.
    var count: Int {
        var count = 1
        for part in parts { count = min(Self.limit + 1, count * part.count) }
        return count
    }

    /// The URLs, the last series counting fastest; none if there are too many.
    var members: [String] {
        guard count <= Self.limit else { return [] }
        return parts.reduce([""]) { heads, part in
            let members = part.members
            return heads.flatMap { head in members.map { head + $0 } }
        }
    }

    /// The characters of a URL and where its path stands; `nil` where there are no groups.
    private static func path(of url: String) -> ([Character], Range<Int>)? {
        guard url.utf8.contains(where: { $0 == UInt8(ascii: "[") || $0 == UInt8(ascii: "{") }) else { return nil }
        // The brackets of content are content.
        if url.prefix(5).lowercased() == "data:" { return nil }
        let characters = Array(url)
        guard let start = pathStart(characters) else { return nil }
        return (characters, start..<(characters[start...].firstIndex { $0 == "?" || $0 == "#" } ?? characters.count))
    }

    private static func pathStart(_ characters: [Character]) -> Int? {
        guard let colon = characters.firstIndex(of: ":"), colon + 3 < characters.count else { return nil }
        return characters[(colon + 3)...].firstIndex(of: "/")
    }

    /// The group that `characters` begin with, and where it ends.
    ///
    /// Looks no further than what may stand in one, so that brackets without end cost no more than other characters.
    private static func group(_ characters: ArraySlice<Character>) -> (part: Part, next: Int)? {
        switch characters.first {
        case "[":
            let inside = characters.dropFirst().prefix(while: isOfRange)
            guard inside.endIndex < characters.endIndex, characters[inside.endIndex] == "]",
                let part = range(String(inside))
            else { return nil }
            return (part, inside.endIndex + 1)
        case "{":
            let inside = characters.dropFirst().prefix { $0 != "}" && $0 != "{" }
            let end = inside.endIndex
            guard end < characters.endIndex, characters[end] == "}" else { return nil }
            let words = String(inside).split(separator: ",", omittingEmptySubsequences: false).map(String.init)
            return words.count > 1 ? (.list(words), end + 1) : nil
        default: return nil
        }
    }

    private static func isOfRange(_ character: Character) -> Bool {
        character.isASCII && (character.isLetter || character.isNumber || "-:+".contains(character))
    }

    private static func range(_ inside: String) -> Part? {
        let halves = inside.split(separator: ":", omittingEmptySubsequences: false)
        let bounds = halves[0].split(separator: "-", omittingEmptySubsequences: false)
        guard halves.count <= 2, bounds.count == 2 else { return nil }
        if halves.count == 1, bounds.allSatisfy({ $0.utf8.count == 1 && ($0.first?.isLetter ?? false) }),
            let first = bounds[0].utf8.first, let last = bounds[1].utf8.first, first <= last,
            bounds[0].first?.isLowercase == bounds[1].first?.isLowercase
        {
            return .letters(first...last)
        }
        guard bounds.allSatisfy({ $0.utf8.allSatisfy { (0x30...0x39).contains($0) } }), let first = Int(bounds[0]),
            let last = Int(bounds[1]), first <= last, let step = halves.count == 2 ? Int(halves[1]) : 1, step > 0
        else { return nil }
        return .numbers(first...last, by: step, width: bounds[0].first == "0" ? bounds[0].count : 0)
    }
}
