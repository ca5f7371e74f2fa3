/// Values by transfer, for those that are under way.
public typealias TransferMap<Value> = ShortMap<TransferID, Value>

/// Names one of many things that are counted.
public protocol CountedIdentifier {
    /// The number; each is used once.
    var rawValue: Int { get }
    /// The identifier of a number.
    init(_ rawValue: Int)
}

extension TransferID: CountedIdentifier {}
extension FileID: CountedIdentifier {}

/// Values by identifier, for the few that are under way.
///
/// There are about as many of them as slots, so looking through their numbers costs less than
/// hashing one would, and each is looked up many times. In no order.
///
/// - Complexity: Every operation costs O(values).
@frozen
public struct ShortMap<Key: CountedIdentifier, Value> {
    @usableFromInline var numbers: ContiguousArray<Int> = []
    @usableFromInline var contents: ContiguousArray<Value> = []

    /// Empty, and without storage of its own yet.
    @inlinable
    public init() {}

    /// Identifiers that have a value.
    @inlinable public var count: Int { numbers.count }
    /// Whether no identifier has a value.
    @inlinable public var isEmpty: Bool { numbers.isEmpty }
    /// All values, in no order.
    @inlinable public var values: ContiguousArray<Value> { contents }

    /// The value of an identifier; setting `nil` forgets it.
    @inlinable
    public subscript(key: Key) -> Value? {
        get { place(of: key).map { contents[$0] } }
        set {
            switch (place(of: key), newValue) {
            case (let place?, let value?): contents[place] = value
            case (let place?, nil): _ = remove(at: place)
            case (nil, let value?):
                numbers.append(key.rawValue)
                contents.append(value)
            case (nil, nil): break
            }
        }
    }

    /// - Returns: The value that it had.
    @inlinable
    public mutating func removeValue(forKey key: Key) -> Value? {
        place(of: key).map { remove(at: $0) }
    }

    /// Forgets everything, its storage too.
    @inlinable
    public mutating func removeAll() { self = ShortMap() }

    @inlinable
    func place(of key: Key) -> Int? {
        // The latest are the likeliest.
        var place = numbers.count - 1
        while place >= 0, numbers[place] != key.rawValue { place -= 1 }
        return place < 0 ? nil : place
    }

    @inlinable
    mutating func remove(at place: Int) -> Value {
        let (lastNumber, last) = (numbers.removeLast(), contents.removeLast())
        guard place < numbers.count else { return last }
        defer { (numbers[place], contents[place]) = (lastNumber, last) }
        return contents[place]
    }
}

extension ShortMap: Sequence {
    /// Goes through the values as they were when it was made.
    @frozen
    public struct Iterator: IteratorProtocol {
        @usableFromInline let map: ShortMap
        @usableFromInline var place = 0

        @inlinable
        init(_ map: ShortMap) { self.map = map }

        /// The next identifier with its value, in no order.
        @inlinable
        public mutating func next() -> (key: Key, value: Value)? {
            guard place < map.numbers.count else { return nil }
            defer { place += 1 }
            return (Key(map.numbers[place]), map.contents[place])
        }
    }

    /// Goes through what is held now; later changes are not seen.
    @inlinable
    public func makeIterator() -> Iterator { Iterator(self) }
}

extension ShortMap: Sendable where Value: Sendable {}
