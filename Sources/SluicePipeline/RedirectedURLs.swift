internal import SluiceCore

/// The URLs whose answers came by redirects, or may yet: who was trusted on the way is not in their keys.
///
/// A key names the trust of its own host alone, since nobody knows before where it leads. So where a host that such a URL
/// led to is judged otherwise later, the URL gets a key of its own: what came, or still comes, under the old trust answers
/// nobody who asks under the new one. Confined to the pipeline's thread.
struct RedirectedURLs {
    private struct Way {
        /// Whom the first answer, or the task that may be redirected yet, was judged by.
        let book: TrustBook
        /// Where it led; `nil` where that is not known.
        let places: [String]?
    }

    /// URLs that are told apart; beyond that, all others count as redirected.
    static let limit = 10_000

    /// By URL, as merge keys have it.
    private var ways: [String: Way] = [:]
    /// Whom the first was judged by that found no room.
    private var others: TrustBook?

    /// An answer of a URL came by a redirect.
    ///
    /// - Parameters:
    ///   - url: As merge keys have it.
    ///   - head: Of the answer, with where it was sent.
    ///   - book: Who was trusted.
    mutating func note(_ url: String, _ head: ResponseHead, _ book: TrustBook) {
        let areAllKnown = head.hops.count == head.redirects
        add(url, Way(book: book, places: areAllKnown ? head.hops.map(\.url) + [head.finalURL] : nil))
    }

    /// A URL is asked for, and may be redirected yet, while the trust changes.
    ///
    /// - Parameters:
    ///   - url: As merge keys have it.
    ///   - book: Who is trusted on the way.
    mutating func noteUnderWay(_ url: String, _ book: TrustBook) { add(url, Way(book: book, places: nil)) }

    private mutating func add(_ url: String, _ way: Way) {
        guard ways[url] == nil else { return }
        if ways.count < Self.limit { ways[url] = way } else { others = others ?? way.book }
    }

    /// What tells the key of a URL from that under another trust; empty where nothing does.
    ///
    /// - Parameters:
    ///   - url: As merge keys have it.
    ///   - book: Who is trusted now.
    /// - Returns: A text that no mark of a trust has.
    func mark(of url: String, _ book: TrustBook) -> String {
        if ways.isEmpty { return "" }
        guard let way = ways[url] ?? others.map({ Way(book: $0, places: nil) }), way.book != book else { return "" }
        if let places = way.places, places.allSatisfy({ way.book.mark(of: $0) == book.mark(of: $0) }) { return "" }
        return "\u{2}" + book.wholeMark
    }
}
