/// How many slips of the finger lie between two words, for messages that offer what was probably meant.
public enum EditDistance {
    /// Counts letters that were left out, added, mistyped, or swapped with their neighbour.
    ///
    /// - Complexity: O(length × length); meant for words.
    public static func between(_ left: some StringProtocol, _ right: some StringProtocol) -> Int {
        let (left, right) = (Array(left.utf8), Array(right.utf8))
        var beforeLast: [Int] = []
        var last = Array(0...right.count)
        for i in left.indices {
            var row = [i + 1]
            for j in right.indices {
                var best = min(last[j + 1] + 1, row[j] + 1, last[j] + (left[i] == right[j] ? 0 : 1))
                if i > 0, j > 0, left[i] == right[j - 1], left[i - 1] == right[j] {
                    best = min(best, beforeLast[j - 1] + 1)
                }
                row.append(best)
            }
            (beforeLast, last) = (last, row)
        }
        return last[right.count]
    }

    /// The names that somebody who wrote a word may have meant, whether letters are large or small.
    ///
    /// - Parameters:
    ///   - word: What was written.
    ///   - names: All that could have been meant.
    ///   - slips: How far away a name may be.
    ///   - count: So many at most.
    ///   - isAlike: Whether a name that is further away is meant too; gets name and word in small letters.
    /// - Returns: The nearest first; of those that are equally near, the one that `names` has first.
    package static func nearest(
        to word: String,
        among names: [String],
        within slips: Int = 2,
        count: Int = 3,
        or isAlike: (_ name: String, _ word: String) -> Bool = { _, _ in false }
    ) -> [String] {
        let word = word.lowercased()
        let near = names.compactMap { name -> (name: String, slips: Int)? in
            let small = name.lowercased()
            let distance = between(word, small)
            return distance <= slips || isAlike(small, word) ? (name: name, slips: distance) : nil
        }
        return near.sorted { $0.slips < $1.slips }.prefix(count).map(\.name)
    }

    /// Whether a name holds a word that is long enough not to stand in many names.
    package static func holds(_ name: String, _ word: String) -> Bool { word.count >= 3 && name.contains(word) }

    /// The question that offers names.
    ///
    /// - Parameters:
    ///   - names: All that are offered.
    ///   - sign: Stands before each of them.
    /// - Returns: `nil` if there are no names.
    package static func offer(_ names: [String], sign: String = "") -> String? {
        names.isEmpty ? nil : "did you mean \(names.map { sign + $0 }.joined(separator: " or "))?"
    }
}
