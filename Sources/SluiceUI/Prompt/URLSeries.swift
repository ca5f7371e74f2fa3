/// Spells out a numbered series in a URL's path: `[001-040]` counts, `{a,b}` lists.
///
/// Only in the path, so that an address in brackets and a query stay what they are.
enum URLSeries {
    /// URLs of one series at most.
    static let limit = 10_000

    /// - Returns: `url` itself where it holds no series, or `nil` if it would give more than ``limit``.
    static func expand(_ url: String) -> [String]? {
        guard url.utf8.contains(where: { $0 == UInt8(ascii: "[") || $0 == UInt8(ascii: "{") }) else { return [url] }
        let characters = Array(url)
        guard let start = pathStart(characters) else { return [url] }
        let end = characters[start...].firstIndex { $0 == "?" || $0 == "#" } ?? characters.count
        var results = [String(characters[..<start])]
        var index = start
        while index < characters.count {
            guard index < end, let (choices, next) = group(characters[..<end], at: index) else {
                for result in results.indices { results[result].append(characters[index]) }
                index += 1
                continue
            }
            guard let choices, results.count * choices.count <= limit else { return nil }
            results = results.flatMap { head in choices.map { head + $0 } }
            index = next
        }
        return results
    }

    private static func pathStart(_ characters: [Character]) -> Int? {
        guard let colon = characters.firstIndex(of: ":"), colon + 3 < characters.count else { return nil }
        return characters[(colon + 3)...].firstIndex(of: "/")
    }

    /// The group that starts at `index`: its members, `nil` for too many, and where it ends.
    private static func group(_ characters: ArraySlice<Character>, at index: Int) -> (choices: [String]?, next: Int)? {
        let closing: Character
        switch characters[index] {
        case "[": closing = "]"
        case "{": closing = "}"
        default: return nil
        }
        guard let end = characters[index...].firstIndex(of: closing) else { return nil }
        let inside = String(characters[(index + 1)..<end])
        if closing == "}" {
            let members = inside.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
            return members.count > 1 ? (members, end + 1) : nil
        }
        let bounds = inside.split(separator: "-", omittingEmptySubsequences: false)
        guard bounds.count == 2, bounds.allSatisfy({ $0.utf8.allSatisfy { (0x30...0x39).contains($0) } }),
            let first = Int(bounds[0]), let last = Int(bounds[1]), first <= last
        else { return nil }
        guard last - first < limit else { return (nil, end + 1) }
        let width = bounds[0].first == "0" ? bounds[0].count : 0
        return ((first...last).map { padded($0, width) }, end + 1)
    }

    private static func padded(_ number: Int, _ width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
}
