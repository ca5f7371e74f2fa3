internal import SluiceCore

/// For how long the answers are fresh that images in memory were made of, and which of them no disk has.
///
/// Bounded by the images that there are: it is looked through whenever it knows of twice as many.
struct ImageFreshness {
    /// Images that may be gone before it is worth a look.
    private static let slack = 64

    /// Milliseconds since 1970, by merge key as text.
    private var ends: [String: Int64] = [:]
    /// Images of answers that were not stored, while an older one still is; by merge key as text.
    private var newerThanStored: Set<String> = []

    var isEmpty: Bool { ends.isEmpty }
    var count: Int { ends.count }

    func isFresh(_ key: MergeKey, at time: Int64) -> Bool { ends[key.text].map { $0 > time } ?? false }

    /// Whether what is stored under a key is older than the image in memory.
    func isNewerThanStored(_ key: MergeKey) -> Bool {
        newerThanStored.isEmpty ? false : newerThanStored.contains(key.text)
    }

    /// Takes that an answer was stored, or was not while an older one is.
    ///
    /// - Parameters:
    ///   - key: Of its request.
    ///   - isNewer: Whether the stored one is older.
    ///   - imageCount: How many images are in memory.
    ///   - isInMemory: Whether one is, by merge key as text.
    mutating func note(_ key: MergeKey, isNewer: Bool, imageCount: Int, isInMemory: (String) -> Bool) {
        guard isNewer else {
            if !newerThanStored.isEmpty { newerThanStored.remove(key.text) }
            return
        }
        newerThanStored.insert(key.text)
        guard newerThanStored.count > 2 * imageCount + Self.slack else { return }
        newerThanStored = newerThanStored.filter(isInMemory)
    }

    /// Takes for how long an image is fresh that was just put into memory.
    ///
    /// - Parameters:
    ///   - key: Of its request.
    ///   - end: In milliseconds since 1970; `nil` if it is not.
    ///   - imageCount: How many are in memory.
    ///   - isInMemory: Whether one is, by merge key as text.
    mutating func note(_ key: MergeKey, until end: Int64?, imageCount: Int, isInMemory: (String) -> Bool) {
        ends[key.text] = end
        guard ends.count > 2 * imageCount + Self.slack else { return }
        ends = ends.filter { isInMemory($0.key) }
    }
}
