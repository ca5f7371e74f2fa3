/// What was noted last; what was noted long ago is forgotten.
///
/// For what is usually taken out again, where news that were lost may leave some of it in for good. It holds at most
/// twice its limit.
struct RecentSet<Element: Hashable & Sendable>: Sendable {
    private let limit: Int
    private var elements: Set<Element> = []
    /// As they were noted, those that were taken out since among them.
    private var order: [Element] = []

    /// - Parameter limit: How many of the last notes are kept at least. 1 or more
    init(limit: Int) { self.limit = limit }

    var isEmpty: Bool { elements.isEmpty }

    func contains(_ element: Element) -> Bool { elements.contains(element) }

    /// - Returns: Whether it was not there.
    @discardableResult
    mutating func insert(_ element: Element) -> Bool {
        guard elements.insert(element).inserted else { return false }
        order.append(element)
        if order.count > limit * 2 {
            elements.formIntersection(order.suffix(limit))
            order.removeFirst(order.count - limit)
        }
        return true
    }

    /// - Returns: Whether it was there.
    @discardableResult
    mutating func remove(_ element: Element) -> Bool { elements.remove(element) != nil }
}
