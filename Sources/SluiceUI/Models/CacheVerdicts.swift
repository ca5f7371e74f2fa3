internal import SluiceCore

/// What the HTTP cache said last of what it has of a URL: whether it stored, used or dropped it, and why.
///
/// Bounded: what was said long ago is forgotten.
struct CacheVerdicts: Sendable {
    static let capacity = 2_000

    private var changes: [String: HTTPCacheChange] = [:]
    /// Keys as they were heard of, some of them twice.
    private var order: [String] = []

    subscript(url: String) -> HTTPCacheChange? { changes[url] }

    mutating func take(_ change: HTTPCacheChange) {
        // What one task did not store changes nothing of what is there.
        if change.verb == .skipped { return }
        changes[change.key] = change
        order.append(change.key)
        guard order.count > Self.capacity * 2 else { return }
        let recent = Set(order.suffix(Self.capacity))
        changes = changes.filter { recent.contains($0.key) }
        order.removeFirst(Self.capacity)
    }
}
