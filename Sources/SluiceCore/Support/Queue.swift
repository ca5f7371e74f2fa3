/// Elements in the order in which they came.
///
/// Inlinable, lest each use in another module looks up what the elements are.
///
/// - Complexity: O(1) for each; an array would move all others when its first leaves.
public struct Queue<Element> {
    /// Places that an empty queue keeps; what a burst needed beyond them is given back.
    @inlinable static var idleCapacity: Int { 64 }

    @usableFromInline var items: ContiguousArray<Element?> = []
    /// Elements that were taken, and whose places are not reused yet.
    @usableFromInline var taken = 0

    /// Holds nothing.
    @inlinable public init() {}

    /// Whether no element waits.
    @inlinable public var isEmpty: Bool { taken == items.count }
    /// Elements that wait.
    @inlinable public var count: Int { items.count - taken }

    /// Adds one behind all others.
    @inlinable public mutating func append(_ element: Element) { items.append(element) }

    /// Takes the one that came first.
    ///
    /// - Returns: `nil` if there is none.
    @inlinable public mutating func popFirst() -> Element? {
        guard !isEmpty else { return nil }
        // Nothing of it may stay here: it may be as large as a body.
        let element = items[taken].take()
        taken += 1
        if taken == items.count {
            items.removeAll(keepingCapacity: items.capacity <= Self.idleCapacity)
            taken = 0
        } else if taken * 2 >= items.count {
            items.removeFirst(taken)
            taken = 0
        }
        return element
    }
}

/// The place of the element that is next is 0; taking it moves all others up by one.
extension Queue: RandomAccessCollection, MutableCollection {
    /// The place of the element that is next.
    @inlinable public var startIndex: Int { 0 }
    /// One behind the place of the last.
    @inlinable public var endIndex: Int { count }

    /// The element at a place.
    ///
    /// - Parameter position: Counted from the element that is next. `0..<count`
    @inlinable public subscript(position: Int) -> Element {
        get {
            precondition(position >= 0, "a place in a queue counts from the element that is next")
            guard let element = items[taken + position] else { preconditionFailure("what was taken has no place") }
            return element
        }
        set {
            precondition(position >= 0, "a place in a queue counts from the element that is next")
            items[taken + position] = newValue
        }
    }
}

extension Queue: Sendable where Element: Sendable {}
