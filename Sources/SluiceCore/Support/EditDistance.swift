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
}
