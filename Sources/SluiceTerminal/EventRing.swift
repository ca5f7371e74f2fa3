/// The newest elements of a stream, and how many older ones were dropped.
///
/// For ``Mailbox``. Grows as it fills, so that an idle one costs nothing.
struct EventRing<Element> {
    /// Elements kept at most; at least 1.
    let limit: Int
    /// Elements that had to go since the start.
    private(set) var lost = 0
    private var storage: [Element] = []
    private var first = 0

    init(limit: Int) {
        precondition(limit > 0, "a ring keeps at least one element")
        self.limit = limit
    }

    var isEmpty: Bool { storage.isEmpty }

    /// Oldest first.
    var elements: [Element] { first == 0 ? storage : Array(storage[first...] + storage[..<first]) }

    mutating func append(_ element: Element) {
        guard storage.count == limit else { return storage.append(element) }
        storage[first] = element
        first = (first + 1) % limit
        lost += 1
    }

    /// Appends in order; an empty ring takes what fits as it is, without a copy.
    mutating func append(contentsOf elements: [Element]) {
        if storage.isEmpty, elements.count <= limit {
            storage = elements
        } else {
            for element in elements { append(element) }
        }
    }
}
