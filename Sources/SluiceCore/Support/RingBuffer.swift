/// The newest elements of a stream, and how many older ones had to go for them.
///
/// Grows as it fills, so that an idle one costs nothing. Inlinable, as ``Queue`` is.
///
/// - Complexity: O(1) for each element.
public struct RingBuffer<Element> {
    /// Elements kept at most.
    public let limit: Int
    @usableFromInline var lostCount = 0
    @usableFromInline var storage: [Element] = []
    /// Index of the oldest.
    @usableFromInline var first = 0

    /// Holds nothing yet.
    ///
    /// - Parameter limit: Elements kept at most. `1...`
    public init(limit: Int) {
        precondition(limit > 0, "a ring keeps at least one element")
        self.limit = limit
    }

    /// Elements that had to go since the start.
    @inlinable public var lost: Int { lostCount }

    /// Oldest first.
    @inlinable public var elements: [Element] {
        first == 0 ? storage : Array(storage[first...] + storage[..<first])
    }

    /// Takes the next element, in the place of the oldest if there is no other.
    @inlinable public mutating func append(_ element: Element) {
        guard storage.count == limit else { return storage.append(element) }
        storage[first] = element
        first = (first + 1) % limit
        lostCount += 1
    }

    /// Appends in order; an empty ring takes what fits as it is, without a copy.
    @inlinable public mutating func append(contentsOf elements: [Element]) {
        if storage.isEmpty, elements.count <= limit {
            storage = elements
        } else {
            for element in elements { append(element) }
        }
    }

    /// Appends what another kept, and counts what it dropped; an empty ring takes it over without a copy.
    @inlinable public mutating func append(contentsOf newer: RingBuffer) {
        if storage.isEmpty, newer.limit == limit {
            (storage, first) = (newer.storage, newer.first)
        } else {
            for element in newer { append(element) }
        }
        lostCount += newer.lostCount
    }

    /// Looks from the newest back.
    ///
    /// - Parameter age: 0 for the newest. `0..<count`
    @inlinable public subscript(age age: Int) -> Element {
        get { self[count - 1 - age] }
        set { self[count - 1 - age] = newValue }
    }
}

/// The place of the oldest element is 0; when it goes, all others move up by one.
extension RingBuffer: RandomAccessCollection, MutableCollection {
    /// The place of the oldest element.
    @inlinable public var startIndex: Int { 0 }
    /// One behind the place of the newest.
    @inlinable public var endIndex: Int { storage.count }

    /// The element at a place.
    ///
    /// - Parameter position: Counted from the oldest. `0..<count`
    @inlinable public subscript(position: Int) -> Element {
        get { storage[place(of: position)] }
        set { storage[place(of: position)] = newValue }
    }

    @inlinable func place(of position: Int) -> Int {
        precondition(position >= 0 && position < storage.count, "a place in a ring counts from its oldest element")
        let place = first + position
        return place < storage.count ? place : place - storage.count
    }
}

extension RingBuffer: Sendable where Element: Sendable {}
