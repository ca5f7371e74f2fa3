/// Where to go on looking for a free name, lest each of a thousand files of one name tries all before it.
///
/// Only a hint: what it remembers is checked before it is used, since files may go at any time. Of a gap in the middle it
/// knows nothing, and that name stays free until the last one goes too. Pure; whether a name is taken is asked.
struct TakenNames: Sendable {
    /// How many candidates were found taken, by the path of the first; only of names that were taken at all.
    private var counts: [String: Int] = [:]

    /// Says which candidate to try after one that is taken.
    ///
    /// - Parameters:
    ///   - first: The candidate that was tried first, and is taken.
    ///   - path: Of candidate 0.
    ///   - isTaken: Whether another candidate is there now; asked once at most.
    /// - Returns: A later candidate.
    mutating func next(after first: Int, of path: String, isTaken: (Int) -> Bool) -> Int {
        guard let count = counts[path], count > first + 1 else { return first + 1 }
        if isTaken(count - 1) { return count }
        // Somebody tidied up: most of them may be free.
        counts[path] = nil
        return first + 1
    }

    /// Remembers that all candidates up to one are taken.
    ///
    /// - Parameters:
    ///   - index: The candidate that a file got.
    ///   - first: The one that was tried first.
    ///   - path: Of candidate 0.
    mutating func note(_ index: Int, from first: Int, of path: String) {
        // A start further on says nothing of the names before it.
        if first <= counts[path] ?? 0 { counts[path] = index + 1 }
    }
}
