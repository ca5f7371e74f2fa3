internal import SluiceCore

/// The URLs whose answers came by redirects, or may yet: who was trusted on the way is not in their keys.
///
/// A key names the trust of its own host alone, since nobody knows before where it leads. So where a host that such a URL
/// led to is judged otherwise later, the URL gets a key of its own: what came, or still comes, under the old trust answers
/// nobody who asks under the new one. Confined to the pipeline's thread.
struct RedirectedURLs {
    /// A host that an answer came by.
    private struct Place: Hashable {
        let host: String
        let port: Int

        init?(_ url: String) {
            guard let url = try? RequestURL(url) else { return nil }
            (host, port) = (url.host, url.port)
        }
    }

    private struct Way {
        /// Whom answers, or tasks that may be redirected yet, were judged by.
        let book: TrustBook
        /// Where they led; `nil` where that is not known.
        var places: Set<Place>?
        /// Whether some were judged by another book.
        var isMixed = false

        /// Whether a book judges all hosts on the way as they were judged.
        func isJudgedAlike(by other: TrustBook) -> Bool {
            !isMixed && areJudgedAlike(places, by: other)
        }

        /// Whether two books judge places alike.
        func areJudgedAlike(_ places: Set<Place>?, by other: TrustBook) -> Bool {
            if book == other { return true }
            return places?.allSatisfy {
                book.mark(host: $0.host, port: $0.port) == other.mark(host: $0.host, port: $0.port)
            } ?? false
        }
    }

    /// Places that are kept of a URL; where there are more, they count as not known.
    private static let placeLimit = 20

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
        let places = (head.hops.map(\.url) + [head.finalURL]).map(Place.init)
        // Only the first hops of many are recorded.
        let areAllKnown = head.hops.count == head.redirects && !places.contains(nil)
        add(url, areAllKnown ? Set(places.compactMap(\.self)) : nil, book)
    }

    /// A URL is asked for, and may be redirected yet, while the trust changes.
    ///
    /// - Parameters:
    ///   - url: As merge keys have it.
    ///   - book: Who is trusted on the way.
    mutating func noteUnderWay(_ url: String, _ book: TrustBook) { add(url, nil, book) }

    private mutating func add(_ url: String, _ places: Set<Place>?, _ book: TrustBook) {
        guard var way = ways[url] else {
            if ways.count < Self.limit { ways[url] = Way(book: book, places: places) } else { others = others ?? book }
            return
        }
        // What came under a key of its own is told apart already.
        guard way.isJudgedAlike(by: book) else { return }
        if !way.areJudgedAlike(places, by: book) { way.isMixed = true }
        let all = places.flatMap { way.places?.union($0) }
        way.places = all.flatMap { $0.count > Self.placeLimit ? nil : $0 }
        ways[url] = way
    }

    /// What tells the key of a URL from that under another trust; empty where nothing does.
    ///
    /// - Parameters:
    ///   - url: As merge keys have it.
    ///   - book: Who is trusted now.
    /// - Returns: A text that no mark of a trust has.
    func mark(of url: String, _ book: TrustBook) -> String {
        if ways.isEmpty { return "" }
        guard let way = ways[url] ?? others.map({ Way(book: $0) }), !way.isJudgedAlike(by: book) else { return "" }
        return "\u{2}" + book.wholeMark
    }
}
