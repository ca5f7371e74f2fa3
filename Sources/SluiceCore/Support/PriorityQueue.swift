/// Elements by priority, and in the order in which they came where that is equal.
///
/// - Complexity: O(1) for each.
public struct PriorityQueue<Element> {
    @usableFromInline var levels: [Priority: Queue<Element>] = [:]

    /// Holds nothing.
    @inlinable public init() {}

    /// Whether no element waits, of whatever priority.
    @inlinable public var isEmpty: Bool { levels.values.allSatisfy(\.isEmpty) }

    /// Adds one behind all others of its priority, and before all of a lower one.
    @inlinable public mutating func append(_ element: Element, _ priority: Priority) {
        levels[priority, default: Queue()].append(element)
    }

    /// Takes the one that is next.
    ///
    /// - Returns: `nil` if there is none.
    @inlinable public mutating func popFirst() -> Element? {
        for priority in Priority.allCases.reversed() {
            if let element = levels[priority]?.popFirst() { return element }
        }
        return nil
    }
}

extension PriorityQueue: Sendable where Element: Sendable {}
